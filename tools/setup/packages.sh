# Compiler packages, the one thing that needs root; and the WebGPU library. Sourced by tools/setup.sh.

# What is missing, as Debian's package names.
packages_missing() {
    command -v make > /dev/null || echo make
    local cc=${CC:-gcc}
    local probe='#include <stdio.h>
int main(void) { return 0; }'
    if ! echo "$probe" | $cc -fopenmp -x c - -o /dev/null > /dev/null 2>&1; then echo gcc libc6-dev; fi
    if ! command -v python3 > /dev/null; then echo python3 python3-pip
    elif ! python3 -m pip --version > /dev/null 2>&1; then echo python3-pip; fi
}

# apt_install PACKAGES AFTER: installs them, after asking where somebody can answer; AFTER: what to do next where it cannot be done.
apt_install() {
    local missing=$1 after=$2 as_root='' answer
    local line="apt-get install -y --no-install-recommends $missing"
    command -v apt-get > /dev/null ||
        die "missing: $missing (Debian's names), and there is no apt here" "install them; then run $after again"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo > /dev/null || die "missing: $missing" "as root, run:  $line" "then run $after again"
        as_root=sudo
        if [ ! -t 0 ]; then sudo -n true 2> /dev/null || die "missing: $missing" "run:  sudo $line" "then run $after again"; fi
    fi
    if [ -t 0 ] && [ -z "${YES:-}" ] && [ -z "${CI:-}" ]; then
        read -r -p "setup: install $missing with ${as_root:+$as_root }apt-get? [Y/n] " answer
        case $answer in '' | [Yy]*) ;; *) die "not installed: $missing" "run it yourself:  ${as_root:+$as_root }$line" ;; esac
    fi
    say "installing $missing"
    $as_root apt-get -qq update > "$deps/apt.log" 2>&1 || true
    # shellcheck disable=SC2086 # words on purpose
    $as_root env DEBIAN_FRONTEND=noninteractive $line >> "$deps/apt.log" 2>&1 ||
        { tail -n 5 "$deps/apt.log" >&2; die "apt-get could not install $missing" "the whole output is in build/deps/apt.log"; }
}

packages_install() {
    local missing
    if done_already packages "${CC:-gcc}" && command -v "${CC:-gcc}" make python3 > /dev/null; then return; fi
    missing=$(packages_missing | tr '\n' ' ')
    missing=${missing% }
    if [ -n "$missing" ]; then
        apt_install "$missing" make
        missing=$(packages_missing | tr '\n' ' ')
        [ -z "$missing" ] || die "still missing after the installation: $missing" "see build/deps/apt.log"
    fi
    mark_done packages "${CC:-gcc}"
}

webgpu_fetch() {
    local version sha256 wheel
    pinned wheel wgpu || die "no WebGPU library is listed for $machine" "build one and set WHORL_WEBGPU=/path/to/libwgpu_native.so"
    if done_already wgpu "$version" && [ -s "$deps/lib/libwgpu_native-release.so" ]; then return; fi
    say "fetching the WebGPU library (wgpu $version, 3.5 MB)"
    wheel_fetch wgpu "$deps/fetch" || die "the wheel wgpu $version could not be fetched or has a wrong checksum" \
        "check the network and pip's settings, and run make again; or set WHORL_WEBGPU=/path/to/a/library"
    mkdir -p "$deps/lib"
    unzip_one "$wheel" wgpu/resources/libwgpu_native-release.so "$deps/lib/new"
    mv "$deps/lib/new" "$deps/lib/libwgpu_native-release.so"
    wheel_licence "$wheel" wgpu
    rm -rf "$deps/fetch"
    mark_done wgpu "$version"
}
