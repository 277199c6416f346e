#!/usr/bin/env bash
# install and uninstall, called by the Makefile with PREFIX, LIBDIR, DESTDIR and VERSION. The WebGPU library goes along, with a
# paths.conf of its own, so that an installed whorl runs without the checkout; so does the software Vulkan where that is what runs here.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${PREFIX:?}" "${LIBDIR:?}" "${VERSION:?}"
root=${DESTDIR:-}
major=${VERSION%%.*}
files=(
    "$PREFIX/bin/whorl" "$PREFIX/include/whorl.h" "$LIBDIR/libwhorl.a" "$LIBDIR/libwhorl.so" "$LIBDIR/libwhorl.so.$major"
    "$LIBDIR/libwhorl.so.$VERSION" "$LIBDIR/pkgconfig/whorl.pc" "$PREFIX/share/man/man1/whorl.1"
    "$PREFIX/share/bash-completion/completions/whorl"
)
own=$PREFIX/lib/whorl # ours alone, removed whole; where bin/whorl looks

if [ "${1:-}" = --uninstall ]; then
    for file in "${files[@]}"; do rm -f "$root$file"; done
    rm -rf "${root}${own:?}" "${root}${PREFIX:?}/share/whorl/site"
    echo "removed whorl from $root$PREFIX"
    exit
fi

put() { install -D -m "$1" "$2" "$root$3"; }
if [ -e build/whorl ]; then put 755 build/whorl "$PREFIX/bin/whorl"; fi
put 644 include/whorl.h "$PREFIX/include/whorl.h"
put 644 build/release/libwhorl.a "$LIBDIR/libwhorl.a"
put 644 build/release/libwhorl_cc.a "$own/libwhorl_cc.a"
put 755 build/release/libwhorl.so "$LIBDIR/libwhorl.so.$VERSION"
ln -sf "libwhorl.so.$VERSION" "$root$LIBDIR/libwhorl.so.$major"
ln -sf "libwhorl.so.$major" "$root$LIBDIR/libwhorl.so"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
sed "s|@PREFIX@|$PREFIX|; s|@LIBDIR@|$LIBDIR|; s|@VERSION@|$VERSION|" tools/whorl.pc.in > "$made/whorl.pc"
put 644 "$made/whorl.pc" "$LIBDIR/pkgconfig/whorl.pc"
if [ -x build/whorl ] && build/whorl --man > "$made/whorl.1" 2> /dev/null && [ -s "$made/whorl.1" ]; then
    put 644 "$made/whorl.1" "$PREFIX/share/man/man1/whorl.1"
fi
if [ -x build/whorl ] && build/whorl --completion > "$made/completion" 2> /dev/null && [ -s "$made/completion" ]; then
    put 644 "$made/completion" "$PREFIX/share/bash-completion/completions/whorl"
fi

# The site, where `make web` built it: `whorl serve --site` looks there.
if [ -e build/site/index.html ]; then
    (cd build/site && find . -type f) | while IFS= read -r file; do put 644 "build/site/$file" "$PREFIX/share/whorl/site/${file#./}"; done
fi

# What others wrote is in the libraries, or goes along; wgpu-native is taken under the Apache licence, which is ours, too.
put 644 LICENSE "$own/licences/whorl"
put 644 third_party/yyjson/LICENSE "$own/licences/yyjson"
put 644 third_party/webgpu/LICENSE "$own/licences/webgpu-headers"
if [ -d build/deps/licences ]; then
    for file in build/deps/licences/*; do put 644 "$file" "$own/licences/$(basename "$file")"; done
fi

# paths.conf once more, with the copies' final places; keys of tests are left out
if [ -e build/deps/paths.conf ]; then
    while IFS= read -r line; do
        key=${line%%=*} path=${line#*=}
        case $key in
        webgpu | vulkan_loader)
            if [ "$key" = webgpu ]; then put 644 LICENSE "$own/licences/wgpu-native"; fi
            put 755 "$path" "$own/$(basename "$path")"
            echo "$key=$own/$(basename "$path")"
            ;;
        vulkan_icd)
            case $path in
            */build/deps/*) # a software driver: its folder goes along
                folder=$own/$(basename "$(dirname "$path")")
                for file in "$(dirname "$path")"/*; do put 755 "$file" "$folder/$(basename "$file")"; done
                echo "$key=$folder/$(basename "$path")"
                ;;
            *) echo "$line" ;;
            esac
            ;;
        software | '#'*) echo "$line" ;;
        esac
    done < build/deps/paths.conf > "$made/paths.conf"
    put 644 "$made/paths.conf" "$own/paths.conf"
fi
echo "installed whorl $VERSION in $root$PREFIX"

# Programs linked with -lwhorl: the loader's list is renewed if it covers LIBDIR (/usr/local/lib does); else it is said once.
if [ -z "$root" ]; then
    if PATH=$PATH:/sbin:/usr/sbin ldconfig -N -X -v 2> /dev/null | grep -q "^$LIBDIR:"; then
        if [ "$(id -u)" = 0 ]; then PATH=$PATH:/sbin:/usr/sbin ldconfig; fi
    else
        echo "programs linked with -lwhorl find it there with LD_LIBRARY_PATH=$LIBDIR or -Wl,-rpath,$LIBDIR"
    fi
fi
