#!/usr/bin/env bash
# What may lie around on a disk: caches that were cut, changed or exchanged, pipes into which nobody writes, names of files with control
# characters. Needs no GPU but for the tests that say so. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
suite=hostile
. tests/expect.sh

holds() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then ok "$name"; else fail "$name" "it does not hold; said: $(head -c 300 "$work/said" | tr '\n' '|')"; fi
}

# scaled FACTOR: a program whose results say which one ran.
scaled() {
    printf '// run: -i n=8\nvoid scale(int n, const int x[n], int y[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n        y[i] = %s * x[i];\n}\n' "$1"
}
scaled 3 > "$work/three.c"
scaled 5 > "$work/five.c"
run=("$WHORL" run --device cpu -i x=const:1)

# ---- objects of the CPU device ----
export XDG_CACHE_HOME=$work/cache
"${run[@]}" -q "$work/five.c" && five=$(ls "$work"/cache/whorl/cpu-*.so)
"${run[@]}" -q "$work/three.c" && three=$(ls "$work"/cache/whorl/cpu-*.so | grep -vF "$five")
cp "$three" "$work/whole.so"
size=$(stat -c %s "$three")
# damaged NAME: what lies in the place of the object of three.c is not loaded, but made again.
damaged() {
    cp "$three" "$work/damaged.so"
    expect "object_$1" 0 'max 3' "${run[@]}" "$work/three.c"
    holds "object_$1_is_said" grep -qF "$three is damaged; what was kept there is made again" "$work/said"
    cp "$three" "$work/renewed.so"
    "${run[@]}" -q "$work/three.c"
    if cmp -s "$three" "$work/damaged.so"; then fail "object_$1_is_renewed" "it lies there as it was"
    elif cmp -s "$three" "$work/renewed.so"; then ok "object_$1_is_renewed"; else fail "object_$1_is_renewed" "it is made each time"; fi
    cp "$work/whole.so" "$three"
}
head -c $((size / 2)) "$work/whole.so" > "$three"; damaged cut
head -c $((size - 1)) "$work/whole.so" > "$three"; damaged cut_by_one
: > "$three"; damaged empty
for at in 100 $((size / 3)) $((size / 2)) $((size - 30)); do
    cp "$work/whole.so" "$three"
    printf 'ZZZZ' | dd of="$three" bs=1 seek="$at" conv=notrunc 2> /dev/null
    damaged "changed_at_$at"
done
head -c -17 "$five" > "$three"; damaged unsealed # another program's: it would load, and compute something else
: > "$three"
"${run[@]}" -q "$work/three.c" > "$work/said" 2>&1
holds object_quietly [ ! -s "$work/said" ]
rm "$three"; mkdir "$three"
expect object_is_a_folder 0 'max 3' "${run[@]}" "$work/three.c"
rmdir "$three"
if [ "$(id -u)" != 0 ]; then
    cp "$work/whole.so" "$three"; chmod 000 "$three"
    expect object_unreadable 0 'max 3' "${run[@]}" "$work/three.c"
    chmod 500 "$work/cache/whorl"; rm -f "$work/cache/whorl/cpu-"*
    expect cache_read_only 0 'max 3' "${run[@]}" "$work/three.c"
    chmod 700 "$work/cache/whorl"
fi
echo > "$work/file"
expect cache_is_a_file 0 'max 3' env XDG_CACHE_HOME="$work/file" "${run[@]}" "$work/three.c"
if mkdir "$work/small" && mount -t tmpfs -o size=16k tmpfs "$work/small" 2> /dev/null; then
    expect cache_is_full 0 'max 3' env XDG_CACHE_HOME="$work/small" "${run[@]}" "$work/three.c"
    umount "$work/small"
fi

# ---- pipes ----
mkfifo "$work/pipe"
expect pipe_as_input 1 'nobody writes into it' timeout 20 "${run[@]}" "$work/three.c" -i x=@"$work/pipe"
expect pipe_as_program 1 'nobody writes into it' timeout 20 "$WHORL" show "$work/pipe" --c
expect pipe_as_plot 1 'nobody writes into it' timeout 20 "$WHORL" plot "$work/pipe"
"${run[@]}" -q "$work/three.c" -o y="$work/y.npy"
expect substitution 0 'max 9' bash -c "exec '$WHORL' run '$work/three.c' --device cpu -i x=@<(sleep 0.2; cat '$work/y.npy')"
expect program_substituted 0 'max 3' bash -c "exec '$WHORL' run <(sleep 0.2; cat '$work/three.c') --device cpu -i x=const:1"
expect program_from_input 0 'max 3' bash -c "cat '$work/three.c' | '$WHORL' run /dev/stdin --device cpu -i x=const:1"
expect standard_input 0 'max 9' bash -c "(sleep 0.2; cat '$work/y.npy') | '$WHORL' run '$work/three.c' --device cpu -i x=@/dev/stdin"

# ---- files that may not grow ----
expect file_too_large 1 'File too large' bash -c "set -o pipefail; (ulimit -f 0; '$WHORL' run '$work/three.c' --device cpu -i x=const:1 -o y='$work/large.npy') 2>&1 | cat"

# ---- what the terminal gets to see ----
# plain NAME COMMAND...: nothing that it says is a control character, and the name is there in another form.
plain() {
    local name=$1
    shift
    "$@" > "$work/said" 2>&1
    if LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$work/said"; then fail "$name" "control characters: $(od -c "$work/said" | head -n 3)"
    elif LC_ALL=C grep -q $'\xc2\x9b' "$work/said"; then fail "$name" "a control character of Latin 1"
    elif grep -qE '\\x1b|\?' "$work/said"; then ok "$name"
    else fail "$name" "the name is not there: $(head -n 1 "$work/said")"; fi
}
evil=$'e\x1b[31mvil\x07\xc2\x9b2J'
cp "$work/three.c" "$work/$evil.c"
printf 'void f(int n, int y[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) y[i] = q\x1b[1m;\n}\n' > "$work/$evil-wrong.c"
printf '\x93NUMPY\x01\x00\x76\x00{"descr": "<f4\x1b[31m"' > "$work/$evil.npy"
plain name_of_a_run "${run[@]}" "$work/$evil.c"
plain name_of_no_file "${run[@]}" "$work/$evil.none"
plain name_in_a_diagnostic "${run[@]}" "$work/$evil-wrong.c" -i n=8
plain name_of_an_array "${run[@]}" "$work/three.c" -i x=@"$work/$evil.npy"
plain name_of_an_output "${run[@]}" "$work/three.c" -o y="$work/none/$evil"
plain name_in_explain "$WHORL" explain "$work/$evil.c" -i x=const:1
plain option "$WHORL" run "$work/three.c" "--$evil"
plain generator "${run[@]}" "$work/three.c" -i x="$evil"
plain scalar "${run[@]}" "$work/three.c" -i "$evil=3"

# ---- what the device's measurements are kept in ----
if ! "$WHORL" run "$work/three.c" -i x=const:1 --device gpu -q > "$work/said" 2>&1; then
    echo "skip hostile.probe: no adapter ran"
    exit $status
fi
kept=$(ls "$work"/cache/whorl/probe-*.json)
cp "$kept" "$work/kept.json"
sed 's/\("dispatch_us":\) */\1 7/' "$work/kept.json" > "$kept"
expect probe_changed 0 'max 3' "$WHORL" run "$work/three.c" -i x=const:1 --device gpu
holds probe_changed_is_said grep -qF "$kept is damaged" "$work/said"
if grep -q '"dispatch_us": *7' "$kept" && [ "$(tail -c 17 "$kept")" = "$(tail -c 17 "$work/kept.json")" ]; then
    fail probe_changed_is_measured "the changed file was believed"
else ok probe_changed_is_measured; fi
for how in cut empty folder; do
    rm -rf "$kept"
    case $how in
    cut) head -c 300 "$work/kept.json" > "$kept" ;;
    empty) : > "$kept" ;;
    folder) mkdir "$kept" ;;
    esac
    expect "probe_$how" 0 'max 3' "$WHORL" run "$work/three.c" -i x=const:1 --device gpu
done
exit $status
