# Source this in bash to give other programs what whorl finds by itself: . tools/env.sh
# WHORL_WEBGPU, and only where build/deps/paths.conf says so the software Vulkan and its loader. What is set already is kept.
whorl_path() { sed -n "s/^$1=//p" "$(dirname "${BASH_SOURCE[0]}")/../build/deps/paths.conf" 2> /dev/null; }
if [ -z "${WHORL_WEBGPU:-}" ] && [ -n "$(whorl_path webgpu)" ]; then
    WHORL_WEBGPU=$(whorl_path webgpu)
    export WHORL_WEBGPU
fi
if [ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && [ -n "$(whorl_path vulkan_icd)" ]; then
    VK_DRIVER_FILES=$(whorl_path vulkan_icd)
    VK_ICD_FILENAMES=$VK_DRIVER_FILES # the name that loaders before 1.3.207 know
    export VK_DRIVER_FILES VK_ICD_FILENAMES
fi
if [ -n "$(whorl_path vulkan_loader)" ]; then
    LD_LIBRARY_PATH=$(dirname "$(whorl_path vulkan_loader)")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
fi
unset -f whorl_path
