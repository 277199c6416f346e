# What the Python package is built and tested with, as a folder for PYTHONPATH: NumPy, pytest, setuptools, mypy. Sourced by tools/setup.sh.
python_fetch() {
    local list=tools/setup/python.txt sum
    sum=$(sha256sum "$list" | cut -d ' ' -f 1)
    if done_already python "$sum" && [ -d "$deps/python" ]; then return; fi
    say "fetching NumPy, pytest and what else the Python package is built and tested with (40 MB)"
    rm -rf "$deps/python" "$deps/python.new"
    if python3 -m pip --disable-pip-version-check install --quiet --no-deps --only-binary :all: --require-hashes -r "$list" \
        --target "$deps/python.new" > "$deps/python.log" 2>&1; then
        mv "$deps/python.new" "$deps/python"
        mark_done python "$sum"
    else
        rm -rf "$deps/python.new"
        warn "the packages of $list could not be fetched for this Python (build/deps/python.log): no wheel, and no tests of the Python package"
        return 1
    fi
}
