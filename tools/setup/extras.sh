# What single programs or tests need; each says what is then missing and set-up goes on. Sourced by tools/setup.sh.

prices_fetch() {
    local version sha256 wheel
    pinned wheel skfolio || return 0
    if done_already prices "$version" && [ -s "$deps/prices/sp500_dataset.csv" ]; then return; fi
    say "fetching daily prices for the finance program (skfolio $version, 1.5 MB)"
    if ! wheel_fetch skfolio "$deps/fetch"; then
        warn "the wheel skfolio $version could not be fetched: programs/sims/finance.c has no real prices (make run needs them)"
        return 0
    fi
    mkdir -p "$deps/prices"
    unzip_one "$wheel" skfolio/datasets/data/sp500_dataset.csv.gz "$deps/prices/new.gz"
    gzip -dc "$deps/prices/new.gz" > "$deps/prices/sp500_dataset.csv"
    rm -rf "$deps/prices/new.gz" "$deps/fetch"
    mark_done prices "$version"
}

# npm_extra NAME FOLDER MISSING MEMBER...: members of a pinned npm package into FOLDER.
npm_extra() {
    local name=$1 folder=$2 missing=$3 version sha256 archive
    shift 3
    pinned npm "$name" || { once "no-$name" "npm $name is not listed for $machine: $missing"; return 1; }
    if done_already "$name" "$version" && [ -d "$folder" ]; then return; fi
    if ! command -v npm > /dev/null; then
        warn "no npm here: $missing (Debian: apt-get install npm)"
        return 1
    fi
    say "fetching npm $name $version"
    npm_fetch "$name" "$deps/fetch" || { warn "npm $name $version could not be fetched: $missing"; return 1; }
    rm -rf "$folder"
    mkdir -p "$folder"
    tar -xzf "$archive" -C "$folder" --strip-components=1 --wildcards "$@"
    rm -rf "$deps/fetch"
    mark_done "$name" "$version"
}

dawn_fetch() {
    npm_extra bun-webgpu-linux-x64 "$deps/dawn" "tests on Dawn are skipped" \
        package/libwebgpu_wrapper.so package/LICENSE package/package.json
}

tint_fetch() {
    npm_extra webgpu "$deps/node_modules/webgpu" "kernels are not checked by Tint" \
        'package/dist/linux-*' package/index.js package/package.json package/LICENSE.md
}

# The official clients of the API that `whorl serve` answers.
openai_fetch() {
    local list=tools/setup/openai.txt sum
    npm_extra openai "$deps/node_modules/openai" "whorl serve is not tested with the official JavaScript client" package || true
    sum=$(sha256sum "$list" | cut -d ' ' -f 1)
    if done_already openai-python "$sum" && [ -d "$deps/openai" ]; then return; fi
    say "fetching the Python package openai and what it needs (6 MB)"
    rm -rf "$deps/openai" "$deps/openai.new"
    if python3 -m pip --disable-pip-version-check install --quiet --no-deps --only-binary :all: --require-hashes -r "$list" \
        --target "$deps/openai.new" > "$deps/openai.log" 2>&1; then
        mv "$deps/openai.new" "$deps/openai"
        mark_done openai-python "$sum"
    else
        rm -rf "$deps/openai.new"
        once no-openai "the Python package openai could not be fetched for this Python (build/deps/openai.log): whorl serve is not tested with it"
    fi
}
