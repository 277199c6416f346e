#!/usr/bin/env bash
# Builds the wheel of the Python package into build/wheel, from build/release, build/whorl and what set-up fetched. Called by the Makefile.
#
# Its platform is manylinux of the newest glibc that its files ask for, so that pip refuses it where it cannot be loaded.
set -euo pipefail
cd "$(dirname "$0")/.."
stage=build/wheel/stage most_bytes=12000000
[ -d build/deps/python/setuptools ] || tools/setup.sh python
webgpu=$(sed -n 's/^webgpu=//p' build/deps/paths.conf)
[ -s "$webgpu" ] || { echo "wheel: there is no WebGPU library (make setup)" >&2; exit 1; }

rm -rf build/wheel
mkdir -p $stage/whorl/_lib $stage/licences
cp python/pyproject.toml python/setup.py python/README.md $stage/
cp python/whorl/*.py python/whorl/py.typed $stage/whorl/
strip --strip-unneeded -o $stage/whorl/_lib/libwhorl.so build/release/libwhorl.so
strip -o $stage/whorl/_lib/whorl build/whorl
cp "$webgpu" $stage/whorl/_lib/libwgpu_native-release.so
chmod 755 $stage/whorl/_lib/*
cp LICENSE $stage/licences/whorl
cp LICENSE $stage/licences/wgpu-native # of its two licences the one that is ours, too
cp third_party/yyjson/LICENSE $stage/licences/yyjson
cp third_party/webgpu/LICENSE $stage/licences/webgpu-headers
for name in wgpu libpcre2-dev libutf8proc-dev; do
    if [ -s build/deps/licences/$name ]; then cp build/deps/licences/$name $stage/licences/$name; fi
done

glibc=$(objdump -T $stage/whorl/_lib/* | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
glibc=${glibc#GLIBC_}
WHORL_WHEEL_PLATFORM=manylinux_${glibc/./_}_$(uname -m)
export WHORL_WHEEL_PLATFORM PYTHONPATH=$PWD/build/deps/python SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-315532800}
python3 -m pip --disable-pip-version-check wheel --quiet --no-build-isolation --no-deps --no-index --no-cache-dir -w build/wheel $stage \
    > build/wheel/log 2>&1 || { tail -n 20 build/wheel/log >&2; exit 1; }
rm -rf $stage
wheel=$(echo build/wheel/whorl-*.whl)
bytes=$(stat -c %s "$wheel")
[ "$bytes" -lt $most_bytes ] || { echo "wheel: $wheel has $bytes bytes, $most_bytes are allowed" >&2; exit 1; }
echo "$wheel: $bytes bytes"
