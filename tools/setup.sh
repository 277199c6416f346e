#!/usr/bin/env bash
# Makes a fresh checkout able to build, run and test; does nothing, quickly, when that is done already.
#
#   tools/setup.sh           what `make` and `make run` need: compiler packages, PCRE2, utf8proc, the WebGPU library, prices, a Vulkan driver
#   tools/setup.sh test      that, and what only tests need: SwiftShader and lavapipe even beside a GPU, Dawn twice, what builds and tests the web
#   tools/setup.sh lavapipe  that of the first line, and lavapipe
#   tools/setup.sh python    nothing but what `make wheel` needs
#   tools/setup.sh web       that of the first line, SwiftShader, and what make wasm and make test-web need
#   tools/setup.sh paths     fetches nothing: looks for drivers again and rewrites build/deps/paths.conf (a checkout that was moved)
#
# YES=1, CI=... or no terminal: installs packages without asking. Nothing but apt's compiler packages needs root, and nothing else is
# written outside build/deps. What is fetched, and its sums: tools/deps.list.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-base}
case $mode in
base | test | lavapipe | web | paths | python) ;;
*) echo "usage: tools/setup.sh [test|lavapipe|web|python|paths]" >&2; exit 2 ;;
esac

deps=$PWD/build/deps
machine=$(uname -m)
mkdir -p "$deps"
exec 9> "$deps/.lock" # two builds of one checkout wait for each other
flock 9

# Each file is one job: see its head.
. tools/setup/fetch.sh
. tools/setup/packages.sh
. tools/setup/vulkan.sh
. tools/setup/extras.sh
. tools/setup/model.sh
. tools/setup/model_sources.sh
. tools/setup/web.sh
. tools/setup/python.sh

# Tried: all of `make test` on Debian 12; set-up, build and both software drivers on Debian 13.
name_untried_platforms() {
    local system
    system=$(. /etc/os-release 2> /dev/null && echo "${ID:-unknown} ${VERSION_ID:-}") || system=unknown
    case "$system $machine" in
    "debian 12 x86_64" | "debian 13 x86_64") ;;
    "ubuntu 24.04 x86_64") once untried "this is Ubuntu 24.04: meant to work, not tried yet; please report what you see" ;;
    *) once untried "this is $system on $machine: not tried (meant for Debian 12, 13 and Ubuntu 24.04 on x86_64); going on" ;;
    esac
}

if [ "$mode" = python ]; then
    python_fetch
    exit
fi
if [ "$mode" != paths ]; then
    name_untried_platforms
    packages_install
    webgpu_fetch
    prices_fetch
fi
vulkan_find_hardware
if [ "$mode" != paths ]; then
    model_fetch
    vulkan_fetch_loader
    case $mode in
    test) swiftshader_fetch || true; web_fetch_for_tests; lavapipe_fetch || true; dawn_fetch || true; tint_fetch || true; openai_fetch || true; python_fetch || true ;;
    lavapipe) lavapipe_fetch || true ;;
    web) swiftshader_fetch || true; web_install ;;
    esac
    if [ -z "$hardware" ]; then swiftshader_fetch || lavapipe_fetch || true; fi
    licences_fetch
fi
paths_write
