#!/usr/bin/env bash
# Packs what web/tools/tax.mjs needs to measure natively and in node on a machine without a network, a compiler or node: node itself, the npm
# package webgpu, the runtime, the compiler, the programs, the command and the WebGPU library, stripped. Linux of this processor, with a glibc
# not older than this machine's.
#
#   web/tools/pack_tax.sh FOLDER      after make tax; FOLDER gets whorl-tax.tar.xz and a README with the command that runs it
#
# There: run.sh in the unpacked folder. A browser is left out; tax.mjs says so in what it writes.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 1 ] || { echo "usage: web/tools/pack_tax.sh FOLDER" >&2; exit 2; }
. tools/env.sh
out=$1
pack=$(mktemp -d)/whorl-tax
trap 'rm -rf "$(dirname "$pack")"' EXIT
mkdir -p "$out" "$pack"/{bin,lib/cxx,lib/vulkan,build/wasm,web/node_modules/webgpu/dist}
dawn=linux-$(node -p process.arch)
loader=$(sed -n 's/^vulkan_loader=//p' build/deps/paths.conf)
[ -n "$loader" ] || loader=$(ldconfig -p | sed -n 's/.*libvulkan\.so\.1 .*=> //p' | head -n 1)

# copy FILE PLACE: without symbols
copy() { cp -L "$1" "$pack/$2" && strip "$pack/$2"; }
copy "$(command -v node)" bin/node
copy build/whorl bin/whorl
copy build/tax_native bin/tax_native
copy "$WHORL_WEBGPU" lib/libwgpu_native.so
[ -z "$loader" ] || copy "$loader" lib/vulkan/libvulkan.so.1
for name in libstdc++.so.6 libgcc_s.so.1; do copy "$(ldconfig -p | sed -n "s/.*$name .*x86-64.*=> //p;s/.*$name .*AArch64.*=> //p" | head -n 1)" "lib/cxx/$name"; done

cp build/wasm/whorl.wasm "$pack/build/wasm/"
cp --parents web/package.json web/compiler/compiler.mjs web/runtime/package.json web/runtime/dist/*.js web/tests/{dawn,server}.mjs web/tools/{tax.mjs,tax_time.js} "$pack/"
cp --parents programs/*/*.[ch] "$pack/"
cp web/node_modules/webgpu/{index.js,package.json,LICENSE.md} "$pack/web/node_modules/webgpu/"
cp -r "web/node_modules/webgpu/dist/$dawn" "$pack/web/node_modules/webgpu/dist/"
strip "$pack/web/node_modules/webgpu/dist/$dawn"/*.node
echo "$(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo ' and changes')" > "$pack/commit"

cat > "$pack/run.sh" << 'RUN'
#!/bin/sh
# run.sh OUT.json [ROUNDS [WAYS [SIZES]]]: what web/tools/tax.mjs takes; by default what is here, 5 rounds, and sizes for this device.
set -eu
[ $# -ge 1 ] || { echo "usage: run.sh OUT.json [ROUNDS [WAYS [SIZES]]]" >&2; exit 2; }
case $1 in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
shift
cd "$(dirname "$0")"
# The machine's own libraries first: its GPU's driver is made for them.
library() { LD_LIBRARY_PATH=$PWD/lib/$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} && export LD_LIBRARY_PATH; }
bin/node -e '' 2> /dev/null || library cxx
PATH=$PATH:/sbin:/usr/sbin
ldconfig -p 2> /dev/null | grep -q 'libvulkan\.so\.1 ' || library vulkan
# NVIDIA's driver where containers get it, if it is not where a loader looks.
odd=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
if [ -z "${VK_DRIVER_FILES:-}" ] && [ -e $odd ] && ! ls /usr/share/vulkan/icd.d/nvidia* /etc/vulkan/icd.d/nvidia* > /dev/null 2>&1; then
    export VK_DRIVER_FILES=$odd VK_ICD_FILENAMES=$odd
fi
export WHORL_DRIVER_SET=1 WHORL=bin/whorl TAX_NATIVE=bin/tax_native WHORL_WEBGPU=$PWD/lib/libwgpu_native.so
export XDG_CACHE_HOME=$PWD/cache XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp} WHORL_COMMIT="$(cat commit)"
exec bin/node web/tools/tax.mjs "$out" "$@"
RUN
chmod +x "$pack/run.sh"
tar -C "$(dirname "$pack")" --owner=0 --group=0 -c whorl-tax | xz -T2 -6 > "$out/whorl-tax.tar.xz"
cat > "$out/README" << README
whorl-tax.tar.xz: measures what a browser's runtime costs, natively and in node, on a machine without a network. Commit $(cat "$pack/commit").

    tar -xJf whorl-tax.tar.xz && whorl-tax/run.sh OUT.json

Without xz: python3 -c "import tarfile; tarfile.open('whorl-tax.tar.xz').extractall()"

It needs a Vulkan driver, sh, grep and cat, nothing else. Arguments: OUT.json [ROUNDS [WAYS [SIZES]]], by default 5 rounds, the ways
native,native_device,node,node_device, and sizes for this device: full for a GPU, small for one in software. In the environment: ONLY=heat,nbody
names workloads; VK_DRIVER_FILES chooses a Vulkan driver. OUT.json is written anew after each workload. The first use measures the device.
README
echo "$out/whorl-tax.tar.xz: $(($(stat -c %s "$out/whorl-tax.tar.xz") / 1000000)) MB"
