# What the web needs: a clang for WebAssembly, node with npm, Chromium and Firefox for the tests, and the npm packages of
# web/package-lock.json. Sourced by tools/setup.sh.

web_packages_missing() {
    local probe='#include <stdlib.h>
int main(void) { return 0; }'
    if ! echo "$probe" | clang-19 --target=wasm32-wasi -x c - -o /dev/null > /dev/null 2>&1; then
        echo clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32
    fi
    if ! command -v dpkg-source > /dev/null; then echo dpkg-dev; fi
    if ! command -v node > /dev/null; then echo nodejs; fi
    if ! command -v npm > /dev/null; then echo npm; fi
    if ! command -v chromium > /dev/null; then echo chromium; fi
    if [ "${1:-}" != quick ] && ! command -v firefox-esr > /dev/null; then echo firefox-esr; fi
}

# Without Firefox, and where something cannot be had its tests are skipped (tests/web.sh).
web_fetch_for_tests() { (web_install quick) || warn "tests of the web are skipped"; }

web_install() { # [quick]
    local missing sum
    missing=$(web_packages_missing "${1:-}" | tr '\n' ' ')
    missing=${missing% }
    if [ -n "$missing" ]; then
        apt_install "$missing" "make test-web"
        missing=$(web_packages_missing "${1:-}" | tr '\n' ' ')
        [ -z "$missing" ] || die "still missing after the installation: $missing" "see build/deps/apt.log"
    fi
    model_sources_fetch
    if [ ! -e web/package-lock.json ]; then return; fi
    sum=$(sha256sum web/package-lock.json | cut -d ' ' -f 1)
    if done_already web "$sum" && [ -d web/node_modules ]; then return; fi
    say "fetching the npm packages of web/"
    (cd web && npm ci --ignore-scripts --no-audit --no-fund > "$deps/npm.log" 2>&1) ||
        { tail -n 5 "$deps/npm.log" >&2; die "npm ci failed in web/" "the whole output is in build/deps/npm.log"; }
    mark_done web "$sum"
}
