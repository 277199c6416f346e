#!/usr/bin/env bash
# whorl as a library: examples/embed.c is built against the build tree (sanitizers on), against an installed copy and against a staged
# one (DESTDIR), and run on the CPU device and on the software GPU. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`, one a line.
set -uo pipefail
cd "$(dirname "$0")/.."
CC=${CC:-gcc}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
status=0
good() { echo "ok embed/$1"; }
bad() {
    echo "FAIL embed/$1: $2"
    [ ! -s "$made/log" ] || sed 's/^/    /' "$made/log" | tail -n 20
    status=1
}

# The software driver even beside a GPU, so that this test means the same everywhere.
path_of() { sed -n "s/^$1=//p" build/deps/paths.conf 2> /dev/null; }
icd=$(path_of swiftshader_icd)
icd=${icd:-$(path_of lavapipe_icd)}
[ -z "$icd" ] || export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd
. tools/sanitize.sh

# flags_of FOLDER: what pkg-config says of the whorl.pc there; without pkg-config the same two flags, read from the file.
flags_of() {
    if command -v pkg-config > /dev/null; then
        PKG_CONFIG_PATH=$1 pkg-config --cflags --libs whorl
    else
        echo "-I$(sed -n 's/^prefix=//p' "$1/whorl.pc")/include -L$(sed -n 's/^libdir=//p' "$1/whorl.pc") -lwhorl"
    fi
}

# runs NAME PROGRAM: on both devices, the speeds as physics has them: sqrt(9.81 / drag), within what floats can do.
runs() {
    local device said
    for device in cpu gpu; do
        if [ $device = gpu ] && [ -n "${SKIP_GPU:-}" ]; then
            echo "skip embed/$1/gpu: SKIP_GPU is set"
            continue
        fi
        said=$("$2" $device 2> "$made/log") || { bad "$1/$device" "ended with status $?"; continue; }
        if awk '$1 == "drag" { n++; want = sqrt(9.81 / substr($2, 1, 3)); d = $3 - want; if (d * d > 1e-6) exit 1 }
                END { exit n != 4 }' <<< "$said"; then
            good "$1/$device"
        else
            echo "$said" > "$made/log"
            bad "$1/$device" "unexpected results"
        fi
    done
    if "$2" 99 > "$made/out" 2> "$made/log" || ! grep -q '^embed: WHORL_DEVICE (device): there is no device 99' "$made/log"; then
        bad "$1/error" "a device that is not there is not reported"
    else
        good "$1/error"
    fi
}

lines=$(wc -l < examples/embed.c)
if [ "$lines" -lt 60 ]; then good lines; else bad lines "examples/embed.c has $lines lines, 60 is too long for an example"; fi

strict="-std=c11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror"
tree=build/debug/libwhorl.a sanitize="-g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
if [ ! -e $tree ]; then tree=build/release/libwhorl.a sanitize=; fi
mkdir -p build/tests
# shellcheck disable=SC2086 # words on purpose, here and below
if $CC $strict $sanitize -Iinclude examples/embed.c $tree -ldl -lm -lpthread -o build/tests/embed > "$made/log" 2>&1; then
    runs build_tree build/tests/embed
else
    bad build_tree "does not build"
fi

if command -v "${CXX:-g++}" > /dev/null; then
    if "${CXX:-g++}" -Wall -Wextra -Werror -x c++ -fsyntax-only include/whorl.h > "$made/log" 2>&1; then good header_as_cxx; else bad header_as_cxx "is no C++"; fi
fi

command -v pkg-config > /dev/null || echo "skip embed/pkg_config: pkg-config is not installed; its flags are read from whorl.pc"
if make --no-print-directory install PREFIX="$made/usr" > "$made/log" 2>&1; then
    export LD_LIBRARY_PATH=$made/usr/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    if $CC $strict examples/embed.c $(flags_of "$made/usr/lib/pkgconfig") -o "$made/embed" > "$made/log" 2>&1; then
        # the copy finds what was installed with it, not the checkout's
        unset WHORL_WEBGPU
        runs installed "$made/embed"
    else
        bad installed "does not build with the flags of whorl.pc"
    fi
    "$made/usr/bin/whorl" devices -v > "$made/out" 2> "$made/log"
    if grep -qF "$made/usr/lib/whorl/" "$made/out"; then good installed/own_library
    elif [ -n "${SKIP_GPU:-}" ]; then echo "skip embed/installed/own_library: SKIP_GPU is set"
    else cat "$made/out" >> "$made/log"; bad installed/own_library "the installed whorl uses another WebGPU library"; fi
    # every library that goes along has the text of its licence with it
    lacks=
    for name in whorl yyjson webgpu-headers; do [ -s "$made/usr/lib/whorl/licences/$name" ] || lacks="$lacks $name"; done
    for pair in libwgpu_native:wgpu libwgpu_native:wgpu-native libvulkan.so:libvulkan1 swiftshader:chromium-common lavapipe:mesa-vulkan-drivers; do
        ls -d "$made/usr/lib/whorl/${pair%:*}"* > /dev/null 2>&1 || continue
        [ -s "$made/usr/lib/whorl/licences/${pair#*:}" ] || lacks="$lacks ${pair#*:}"
    done
    if [ -z "$lacks" ]; then good installed/licences; else bad installed/licences "no text of the licence of$lacks (tools/setup.sh fetches it)"; fi
    if [ -s "$made/usr/share/man/man1/whorl.1" ] && bash -n "$made/usr/share/bash-completion/completions/whorl" 2> "$made/log"; then
        good installed/manual
    else
        bad installed/manual "no man page, or a completion that is no bash"
    fi
    make --no-print-directory uninstall PREFIX="$made/usr" > "$made/log" 2>&1
    find "$made/usr" ! -type d > "$made/log"
    if [ ! -s "$made/log" ]; then good uninstall; else bad uninstall "leaves files"; fi
else
    bad installed "make install failed"
fi

# DESTDIR: the files name their final places, not the stage.
if make --no-print-directory install PREFIX=/usr DESTDIR="$made/stage" > "$made/log" 2>&1; then
    if command -v pkg-config > /dev/null && ! PKG_CONFIG_SYSROOT_DIR=$made/stage $CC $strict examples/embed.c \
        $(PKG_CONFIG_SYSROOT_DIR=$made/stage PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 \
            PKG_CONFIG_LIBDIR=$made/stage/usr/lib/pkgconfig pkg-config --cflags --libs whorl) -o "$made/staged" > "$made/log" 2>&1; then
        bad staged "does not build against the stage"
    elif grep -rIlF "$made" "$made/stage" > "$made/log"; then
        bad staged "files name the stage"
    else
        good staged
    fi
else
    bad staged "make install failed"
fi
exit $status
