#!/usr/bin/env bash
# The command line: what it understands, every message about bad input that is its own, and that files come out whole or not at all.
# Needs no GPU but for the tests that say so. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
suite=cli
. tests/expect.sh
unset COLUMNS
release=${WHORL_RELEASE:-$PWD/build/whorl} # where a sanitizer's own handlers would speak

# holds NAME COMMAND...: the command succeeds.
holds() {
    local name=$1
    shift
    if "$@"; then ok "$name"; else fail "$name" "$*"; fi
}
# npy FILE DESCR SHAPE BYTES [ORDER]: a version 1.0 file whose elements are BYTES zero bytes.
npy() {
    local header="{'descr': $2, 'fortran_order': ${5:-False}, 'shape': $3, }"
    {
        printf '\x93NUMPY\x01\x00'
        printf "\\x$(printf %02x ${#header})\\x00"
        printf '%s' "$header"
        head -c "$4" /dev/zero
    } > "$1"
}

cat > "$work/scale.c" << 'C'
// run: -i n=16 -i factor=2
// test: -i n=4 -i factor=3 -i x=const:1,4
// check: y exact
void scale(int n, float factor, const float *x, float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = factor * x[i];
}
C
scale=$work/scale.c
cpu=(--device cpu)

# ---- commands and options ----
expect no_command 2 "usage: whorl COMMAND" "$WHORL"
expect unknown_command 2 'did you mean `whorl run`' "$WHORL" rnu x.c
expect file_as_command 2 'did you mean `whorl run x.c`' "$WHORL" x.c
expect unknown_option 2 'unknown option `--frobnicate`' "$WHORL" run "$scale" --frobnicate
expect did_you_mean 2 'did you mean `--strategy`' "$WHORL" run "$scale" --stratgey=cpu
expect option_of_others 2 'meant is `--device gpu`' "$WHORL" run "$scale" --gpu
expect option_of_compilers 2 'takes -D and -I' "$WHORL" run "$scale" -O3
expect option_with_value 2 'unknown option `-fdouble=half`' "$WHORL" run "$scale" -fdouble=half
expect command_of_others 2 'did you mean `whorl run FILE --check`' "$WHORL" check "$scale"
expect race_is_an_option 2 'did you mean `whorl run FILE --race`' "$WHORL" race "$scale"
expect no_elements 1 "arrays have at least one element" "$WHORL" run tests/fresh/volatility.c -i n=0
expect other_case 1 'did you mean `factor`' "$WHORL" run "$scale" -i Factor=2
expect two_inputs_in_one 1 'an -i of its own' "$WHORL" run "$scale" -i n=4,factor=2
expect file_without_at 1 'a file is given as @x.npy' "$WHORL" run "$scale" -i x=x.npy
expect compare_on_the_cpu 2 'leave `--device cpu` out' "$WHORL" run "$scale" --test --compare --device cpu
expect option_elsewhere 2 'is not an option of `whorl run`' "$WHORL" run "$scale" --wgsl
expect option_without_value 2 'needs a value' "$WHORL" run "$scale" --json
expect wrong_strategy 2 'auto, single, steps, eager or cpu' "$WHORL" run "$scale" --strategy fast
expect wrong_count 2 'whole number' "$WHORL" run "$scale" --slice-ticks 0
expect wrong_number 2 'needs a number' "$WHORL" run "$scale" --slice-ms=soon
expect cpu_is_no_gpu 2 'runs the strategy cpu only' "$WHORL" run "$scale" --device cpu --strategy single
expect race_and_compare 2 'one at a time' "$WHORL" run "$scale" --race --compare
expect help_of_two 2 'has no use for' "$WHORL" help run show
expect version_of_what 2 'has no use for' "$WHORL" --version now
expect no_file 2 'needs a file' "$WHORL" run
expect two_files 2 'has no use for' "$WHORL" run "$scale" "$scale"
expect show_two_things 2 'one thing at a time' "$WHORL" show "$scale" --wgsl --c
expect version 0 "whorl $(awk '/define WHORL_VERSION_(MAJOR|MINOR|PATCH)/ { v = v s $3; s = "." } END { print v }' include/whorl.h)" "$WHORL" --version
expect help 0 'usage: whorl COMMAND' "$WHORL" help
expect help_command 0 '--compare' "$WHORL" help run
expect help_option 0 '--wgsl' "$WHORL" show --help
expect man_page 0 '.TH WHORL 1' "$WHORL" --man
expect completion 0 'complete -o filenames -F _whorl whorl' "$WHORL" --completion
"$WHORL" --completion > "$work/completion"
holds completion_is_bash bash -n "$work/completion"
# every option of the help is in the man page: one table
"$WHORL" --man | sed 's/\\-/-/g' > "$work/man"
missing=$(for c in run show explain devices probe pick plot bench; do "$WHORL" help $c; done | grep -oE '^  -[-a-zA-Z0-9]+' | sort -u |
    while read -r o; do grep -qF -- "$o" "$work/man" || echo "$o"; done)
holds man_has_every_option [ -z "$missing" ]
widest=$(for c in run show devices probe plot bench; do "$WHORL" help $c; done | awk 'length > w { w = length } END { print w }')
holds help_fits_80_columns [ "$widest" -le 80 ]
if command -v groff > /dev/null; then holds man_is_roff [ -z "$("$WHORL" --man | groff -man -Tutf8 -ww 2>&1 > /dev/null)" ]; fi

# ---- inputs ----
expect missing_array 1 'missing input: `x`, an array of f32; give it as -i x=@x.npy or -i x=normal:seed=1' "$WHORL" run "$scale" "${cpu[@]}"
sed '/^\/\/ [rt][a-z]*:/d' "$scale" > "$work/bare.c"
expect missing_scalar 1 'missing input: `n`, a scalar of type i32; give it as -i n=1024' "$WHORL" run "$work/bare.c" "${cpu[@]}"
expect unsized_pointer 1 'unsized pointer' "$WHORL" run "$scale" -i x=arange "${cpu[@]}"
expect unknown_input 1 'did you mean `factor`' "$WHORL" run "$scale" -i fctor=1 "${cpu[@]}"
expect wrong_device 2 'auto, cpu, gpu or a number' "$WHORL" run "$scale" --device npu
expect input_without_value 2 'NAME=VALUE' "$WHORL" run "$scale" -i n "${cpu[@]}"
expect array_for_scalar 1 'takes a number' "$WHORL" run "$scale" -i n=arange -i x=arange:16 "${cpu[@]}"
expect number_for_array 1 'is an array' "$WHORL" run "$scale" -i x=3 "${cpu[@]}"
expect integer_with_fraction 1 'is an integer' "$WHORL" run "$scale" -i n=2.5 -i x=arange:16 "${cpu[@]}"
expect integer_out_of_range 1 'is an integer' "$WHORL" run "$scale" -i n=4294967296 -i x=arange:16 "${cpu[@]}"
expect no_number 1 'is no number' "$WHORL" run "$scale" -i n=4x -i x=arange:16 "${cpu[@]}"
expect generator_size 1 'cannot read `3`; generators are' "$WHORL" run "$scale" -i x=zeros:4,3 "${cpu[@]}"
expect generator_size_form 1 'written zeros:4096, zeros:64x3, uniform:4096,lo=0' "$WHORL" run "$scale" -i x=zeros:4,3 "${cpu[@]}"
expect unknown_generator 1 'generators are zeros' "$WHORL" run "$scale" -i x=gaussian:16 "${cpu[@]}"
expect wrong_generator 1 'cannot read `mean=1`' "$WHORL" run "$scale" -i x=uniform:16,mean=1 "${cpu[@]}"
# numbers by scalars: of the command line, of a // run: line, and names that are none
expect generator_scalar 0 'f32[16]  min 40' "$WHORL" run "$scale" -i factor=10 -i x=const:factor-6,n -i n=16 "${cpu[@]}"
printf '// run: -i n=8 -i x=const:-2*n\nvoid f(int n, float x[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) x[i] += 1;\n}\n' > "$work/by_n.c"
expect generator_scalar_of_run_line 0 'f32[3]  min -5' "$WHORL" run "$work/by_n.c" -i n=3 "${cpu[@]}"
expect generator_no_scalar 1 '`x` is no scalar parameter; those are n, factor' "$WHORL" run "$scale" -i x=uniform:16,hi=x "${cpu[@]}"
expect no_such_program 1 'No such file' "$WHORL" run "$work/none.c"
printf '#include <math.h>\nvoid f(int n, float x[n]) { x[0] = sinf(x[0]); }\n' > "$work/no_loop.c"
expect no_such_function 1 "scale.c:4:1: error: there is no function 'nope'" "$WHORL" run "$scale:nope" -i x=arange:16 "${cpu[@]}"
expect no_such_function_nor_header 1 "no_loop.c:2:1: error: there is no function 'nope'" "$WHORL" run "$work/no_loop.c:nope"
expect no_loop 1 "no_loop.c:2:1: error: no function of this file has a parallel loop" "$WHORL" run "$work/no_loop.c" -i n=4
expect no_such_pass 2 "whorl: error: there is no pass 'foo'" "$WHORL" run "$scale" -i x=arange:16 --pass-off foo
expect command_line_wins 0 'max 45' "$WHORL" run "$scale" -i factor=3 -i x=arange:16 "${cpu[@]}"
expect test_line 0 'f32[4]  min 3' "$WHORL" run "$scale" --test "${cpu[@]}"
expect no_test_line 1 'has no `// test:` line' "$WHORL" run "$work/bare.c" --test "${cpu[@]}"
sed 's/factor \* x/SCALE * factor * x/' "$scale" > "$work/define.c"
expect define 0 'max 90' "$WHORL" run "$work/define.c" -D SCALE=3.0f -i x=arange:16 "${cpu[@]}"
printf '// run: -i n=4\n// chekc: exact\nint x;\n' > "$work/typo.c"
expect unknown_directive 1 'typo.c:2:1: error: unknown directive `// chekc:`; did you mean `// check:`' "$WHORL" run "$work/typo.c"
printf '// check: maybe\nint x;\n' > "$work/check.c"
expect wrong_check 1 '[ARRAY] exact | abs X' "$WHORL" run "$work/check.c"
printf '// check: exact teacher\nint x;\n' > "$work/teacher.c"
expect teacher_without_step 1 'needs `// step:`' "$WHORL" run "$work/teacher.c"

# ---- .npy in ----
npy "$work/good.npy" "'<f4'" '(16,)' 64
expect npy_read 0 'f32[16]' "$WHORL" run "$scale" -i x=@"$work/good.npy" "${cpu[@]}"
npy "$work/f64.npy" "'<f8'" '(16,)' 128
expect npy_f64 1 'the file holds f64[16]; save it as a.astype' "$WHORL" run "$scale" -i x=@"$work/f64.npy" "${cpu[@]}"
npy "$work/int.npy" "'<i4'" '(16,)' 64
expect npy_dtype 1 "\`x\` expects elements of type f32, the file holds i32[16]; save it as a.astype('f4')" "$WHORL" run "$scale" -i x=@"$work/int.npy" "${cpu[@]}"
npy "$work/fortran.npy" "'<f4'" '(4, 4)' 64 True
expect npy_fortran 1 'np.ascontiguousarray(a)' "$WHORL" run "$scale" -i x=@"$work/fortran.npy" "${cpu[@]}"
npy "$work/big.npy" "'>f4'" '(16,)' 64
expect npy_big_endian 1 'big endian' "$WHORL" run "$scale" -i x=@"$work/big.npy" "${cpu[@]}"
npy "$work/object.npy" "'|O'" '(16,)' 64
expect npy_objects 1 'Python objects' "$WHORL" run "$scale" -i x=@"$work/object.npy" "${cpu[@]}"
npy "$work/hostile.npy" "'<f4'" '(4611686018427387904, 4)' 64
expect npy_hostile 1 'is cut' "$WHORL" run "$scale" -i x=@"$work/hostile.npy" "${cpu[@]}"
head -c 100 "$work/good.npy" > "$work/cut.npy"
expect npy_cut 1 'is cut' "$WHORL" run "$scale" -i x=@"$work/cut.npy" "${cpu[@]}"
expect npy_missing 1 'No such file' "$WHORL" run "$scale" -i x=@"$work/none.npy" "${cpu[@]}"
expect npy_shape 1 '`x` expects f32[4096][2000], but the file holds f32[16]' "$WHORL" run programs/sims/sphere.c -i x=@"$work/good.npy" "${cpu[@]}"
expect generator_shape 1 'but this makes f32[3]' "$WHORL" run programs/sims/sphere.c --test -i x=zeros:3 "${cpu[@]}"
# every prefix is refused with a message, none is believed and none crashes
cut_ok=1
size=$(wc -c < "$work/good.npy")
for ((n = 0; n < size; n += size > 40 ? 7 : 1)); do
    head -c $n "$work/good.npy" > "$work/cut.npy"
    "$WHORL" run "$scale" -i x=@"$work/cut.npy" "${cpu[@]}" > "$work/said" 2>&1
    [ $? = 1 ] && grep -qF cut.npy "$work/said" || { cut_ok=0; break; }
done
holds npy_cut_anywhere [ $cut_ok = 1 ]

# ---- .npy out ----
expect output 0 'y' "$WHORL" run "$scale" -i x=arange:16 -o y="$work/y.npy" "${cpu[@]}"
holds output_size [ "$(wc -c < "$work/y.npy")" = 192 ]
expect output_is_input 0 'max 60' "$WHORL" run "$scale" -i x=@"$work/y.npy" "${cpu[@]}"
expect output_unknown 1 'it writes y' "$WHORL" run "$scale" -i x=arange:16 -o z="$work/z.npy" "${cpu[@]}"
expect output_of_input 1 'it writes y' "$WHORL" run "$scale" -i x=arange:16 -o x="$work/z.npy" "${cpu[@]}"
expect output_nameless 2 'NAME=FILE' "$WHORL" run "$scale" -i x=arange:16 -o y "${cpu[@]}"
expect output_no_folder 1 'No such file or directory' "$WHORL" run "$scale" -i x=arange:16 -o y="$work/none/y.npy" "${cpu[@]}"
expect output_is_folder 1 'it is a folder' "$WHORL" run "$scale" -i x=arange:16 -o y="$work" "${cpu[@]}"
npy "$work/empty.npy" "'<f4'" '(0,)' 0
expect plot_nothing 1 'it has no elements' "$WHORL" plot "$work/empty.npy"
expect negative_spread 1 'sd is a spread, 0 or more, not -1' "$WHORL" run "$scale" -i x=normal:sd=-1 -i n=16 "${cpu[@]}"
expect json_nowhere 1 "cannot write $work/none/x.json" "$WHORL" run "$scale" -i x=arange:16 --json "$work/none/x.json" "${cpu[@]}"
holds json_nowhere_before_the_run bash -c "! grep -q 'f32' '$work/said'"
sed 's/float y\[n\]/float y[n], float z[n]/; s/y\[i\] =/z[i] = y[i] =/' "$scale" > "$work/two.c"
expect one_file_for_two 1 "is another output's file already" "$WHORL" run "$work/two.c" -i x=arange:16 -o y="$work/z.npy" -o z="$work/z.npy" "${cpu[@]}"
expect output_csv 1 'whorl writes .npy files, not .csv' "$WHORL" run "$scale" -i x=arange:16 -o y="$work/y.csv" "${cpu[@]}"
holds output_csv_writes_nothing [ ! -e "$work/y.csv" ]
expect output_without_ending 0 'max 30' "$WHORL" run "$scale" -i x=arange:16 -o y="$work/y" "${cpu[@]}"
# values one by one
expect list 0 '2 -5 6.5 inf' "$WHORL" run "$scale" -i n=4 -i x=1,-2.5,3.25,inf "${cpu[@]}"
expect list_short 1 '`y` expects f32[4], but this makes 3 elements' "$WHORL" run "$scale" -i n=4 -i x=1,2,3,4 -i y=1,2,3 "${cpu[@]}"
expect list_wrong 1 'numbers with commas between' "$WHORL" run "$scale" -i n=2 -i x=1,,2 "${cpu[@]}"
expect list_words 1 'numbers with commas between' "$WHORL" run "$scale" -i n=2 -i x=1,two "${cpu[@]}"
expect list_range 1 '1e99 is no f32' "$WHORL" run "$scale" -i n=2 -i x=1,1e99 "${cpu[@]}"
expect list_mixed 1 'are of several types' "$WHORL" run tests/lang/accept/struct_mixed.c --test -i seeds="$(seq -s , 150)" "${cpu[@]}"
# a pointer to structs: their number, alone or with the words of each
cat > "$work/items.c" << 'C'
struct item { int a, b; };
void items(int n, struct item *p) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i].b += 2 * p[i].a;
}
C
expect structs_by_number 0 'i32[3][2]  min 1  mean 2  max 3' "$WHORL" run "$work/items.c" -i n=3 -i p=const:1,3 -o p="$work/p.npy" "${cpu[@]}"
expect structs_by_words 0 'i32[3][2]' "$WHORL" run "$work/items.c" -i n=3 -i p=arange:3x2 "${cpu[@]}"
expect structs_of_a_file 0 'mean 3' "$WHORL" run "$work/items.c" -i n=3 -i p=@"$work/p.npy" "${cpu[@]}"
expect structs_of_other_words 1 "'p' has structs of 2 words" "$WHORL" run "$work/items.c" -i n=3 -i p=zeros:3x3 "${cpu[@]}"
# `run`, `explain` and `show` of one command line speak of the same kernels
same_kernels() { # NAME PROGRAM OPTIONS...
    local name=$1 file=$2 ran said shown
    shift 2
    "$WHORL" run "$file" --test "$@" -q --json "$work/same.json" > "$work/out" 2>&1
    ran=$(sed -n 's/^ *"kernels": "\(.*\)",*$/\1/p' "$work/same.json")
    said=$("$WHORL" explain "$file" --test "$@" 2> /dev/null | sed -n 's/^kernels \([0-9a-f]*\), made for .*/\1/p')
    shown=$("$WHORL" show "$file" --test "$@" --wgsl 2> /dev/null | sed -n '1s|^// kernels ||p')
    holds "$name" [ "${#ran}" = 16 -a "$ran" = "$said" -a "$ran" = "$shown" ]
    echo "$ran" >> "$work/kernels"
}
: > "$work/kernels"
same_kernels same_kernels_cpu programs/sims/sphere.c
same_kernels same_kernels_portable programs/sims/sphere.c --portable
if [ -z "${SKIP_GPU:-}" ]; then
    for strategy in single steps eager; do same_kernels same_kernels_$strategy programs/sims/sphere.c --strategy $strategy; done
    # a GPU in software is kept busy by less, so that its kernels are others: the device's profile arrives
    holds kernels_of_the_device [ "$(sed -n 2p "$work/kernels")" != "$(sed -n 3p "$work/kernels")" ]
fi

# a device that is described by a file: the kernels and the choice are those that it has here, and whatever is no such file is said to be none
if [ -z "${SKIP_GPU:-}" ]; then
    "$WHORL" probe --device gpu -q --json "$work/probe.json"
    here=$("$WHORL" explain programs/grids/heat.c --test --device gpu -q | sed -n 's/^kernels \([0-9a-f]*\), .*/\1/p')
    there=$("$WHORL" explain programs/grids/heat.c --test --probe "$work/probe.json" -q | sed -n 's/^kernels \([0-9a-f]*\), .* as described by .*/\1/p')
    holds described_kernels [ "${#here}" = 16 -a "$here" = "$there" ]
fi
expect described_choice 0 'auto: steps: predicted, as each invocation of single would wait' "$WHORL" explain programs/arrays/sparse_rows.c --probe bench/results/probe-nvidia-h100.json
expect described_show 0 '"waits":352' "$WHORL" show programs/learning/forest.c --plan --probe bench/results/probe-nvidia-h100.json
expect described_twice 2 'leave out --portable' "$WHORL" show programs/grids/heat.c --test --portable --probe bench/results/probe-nvidia-h100.json
# what probes did not ask for in their time is not there
sed 's/, "float_atomics": true//' bench/results/probe-nvidia-h100.json > "$work/older.json"
sed 's/"float_atomics": true/"float_atomics": 1/' bench/results/probe-nvidia-h100.json > "$work/wrong.json"
expect kernels_of_strategies 0 '// kernel k0, from programs/sims/acrobot.c:20: single, steps, eager' "$WHORL" show programs/sims/acrobot.c --test --wgsl --portable
expect described_floats 0 'array<atomic<f32>>' "$WHORL" show tests/grid/float_sums.c --test --wgsl --probe bench/results/probe-nvidia-h100.json
expect described_atomics 0 'atomics: the kernel of line 9 adds to floats' "$WHORL" explain tests/grid/float_sums.c --test --probe bench/results/probe-nvidia-h100.json
expect described_earlier 0 'atomicCompareExchangeWeak(&b1' "$WHORL" show tests/grid/float_sums.c --test --wgsl --probe "$work/older.json"
expect described_wrong 1 '"float_atomics" of the device' "$WHORL" show tests/grid/float_sums.c --test --wgsl --probe "$work/wrong.json"
echo '{"device": {"name": "x", "is_software": false, "target": {"register_words": 1}}}' > "$work/half.json"
expect described_half 1 '"busy_invocations" of the device' "$WHORL" show programs/grids/heat.c --test --probe "$work/half.json"
expect described_no_json 1 'is no JSON' "$WHORL" show programs/grids/heat.c --test --probe programs/grids/heat.c
expect described_no_device 1 'is no device that' "$WHORL" show programs/grids/heat.c --test --probe bench/workloads.json
expect explains_small_traffic 0 'single 128 bytes (' "$WHORL" explain "$scale" -i x=arange:16
expect explains_two_dispatches 0 'cheaper than a barrier across the grid' "$WHORL" explain tests/lang/accept/first.c --test
said=$("$WHORL" explain programs/evolve/ga_rastrigin.c --test --portable 2> /dev/null)
if printf '%s\n' "$said" | grep -q ' (2 times)$' && [ -z "$(printf '%s\n' "$said" | sort | uniq -d)" ]; then ok explains_once; else fail explains_once "$(printf '%s\n' "$said" | sort | uniq -d | head -n 3)"; fi
if [ -w /dev/full ]; then
    expect disk_full_once 1 'cannot write /dev/full' "$WHORL" run "$work/two.c" -i x=arange:16 -o y=/dev/full -o z="$work/z.npy" "${cpu[@]}"
    holds disk_full_keeps_the_other [ "$(stat -c %s "$work/z.npy")" = 192 ]
    expect disk_full 1 'No space left on device' "$WHORL" run "$scale" -i x=arange:16 -o y=/dev/full "${cpu[@]}"
    expect disk_full_json 1 'No space left on device' "$WHORL" run "$scale" -i x=arange:16 --json /dev/full "${cpu[@]}"
    holds disk_full_json_before_the_run bash -c "! grep -q 'f32' '$work/said'"
    expect disk_full_json_stdout 1 'cannot write standard output: No space left on device' bash -c "'$WHORL' run '$scale' -i x=arange:16 --json - ${cpu[*]} > /dev/full"
    expect disk_full_code 1 'cannot write the output: No space left on device' bash -c "'$WHORL' show programs/sims/acrobot.c --test --wgsl > /dev/full"
    expect disk_full_stdout 1 'cannot write the output' bash -c "'$WHORL' help run > /dev/full"
    # one line, with the reason, whoever printed and however much
    printf '#include <stdio.h>\nvoid f(int n, float y[n]) {\n    for (int i = 0; i < n; i++) printf("line %%d\\n", i);\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) y[i] = 1.0f;\n}\n' > "$work/prints.c"
    for what in "run $scale -i x=arange:16" "run $work/prints.c -i n=9 -q" "run $work/prints.c -i n=99999" "run $work/prints.c -i n=9 --race"; do
        # shellcheck disable=SC2086
        "$WHORL" $what "${cpu[@]}" 2> "$work/said" > /dev/full
        if [ $? = 1 ] && [ "$(cat "$work/said")" = 'whorl: error: cannot write the output: No space left on device' ]; then ok "disk_full.${what##*/}"
        else fail "disk_full.${what##*/}" "$(head -c 300 "$work/said" | tr '\n' '|')"; fi
    done
fi
if mkdir "$work/small" && mount -t tmpfs -o size=64k tmpfs "$work/small" 2> /dev/null; then
    expect disk_full_file 1 'No space left on device' "$WHORL" run "$scale" -i n=100000 -i x=arange:100000 -o y="$work/small/y.npy" "${cpu[@]}"
    holds disk_full_leaves_nothing [ -z "$(ls -A "$work/small")" ]
    umount "$work/small"
else
    # a limit on file sizes fails the write as a full disk does
    expect disk_full_file 1 'cannot write' bash -c "trap '' XFSZ; ulimit -f 64; exec '$WHORL' run '$scale' -i n=100000 -i x=arange:100000 -o y='$work/small/y.npy' --device cpu"
    holds disk_full_leaves_nothing [ -z "$(ls -A "$work/small" 2> /dev/null)" ]
fi

# ---- what is said where ----
"$WHORL" run "$scale" -i x=arange:16 -q "${cpu[@]}" > "$work/said" 2>&1
holds quiet [ ! -s "$work/said" ]
"$WHORL" run "$scale" -i x=arange:16 "${cpu[@]}" 2> /dev/null | grep -q $'\033' && coloured=1 || coloured=0
holds no_colours_in_a_pipe [ $coloured = 0 ]
# a struct of several types: made, summed up and listed by the type of each field
expect mixed_summary 0 'i32 min -49' "$WHORL" run tests/lang/accept/struct_mixed.c --test "${cpu[@]}"
expect mixed_values 0 '0 3 3 3 3 3 1 1.38629 -1' "$WHORL" run tests/lang/accept/struct_mixed.c --test "${cpu[@]}"
expect mixed_generator 1 "normal makes floats, 'seeds' holds u32" "$WHORL" run tests/lang/accept/struct_mixed.c --test -i seeds=normal "${cpu[@]}"
expect mixed_field 1 'i32 holds integers from -2147483648 to 2147483647, not 0.5 to 3: the field `steps` of `out` is i32' \
    "$WHORL" run tests/lang/accept/struct_mixed.c --test -i out=uniform:lo=0.5,hi=3 "${cpu[@]}"
expect mixed_const 1 'not 0.5: the field `id` of `seeds` is u32' "$WHORL" run tests/lang/accept/struct_mixed.c --test -i seeds=const:0.5 "${cpu[@]}"
expect mixed_inner 1 'not -1 to 9: the field `parts.id` of `out` is u32' "$WHORL" run tests/lang/accept/struct_mixed.c --test -i out=uniform:lo=-1,hi=9 "${cpu[@]}"
expect mixed_json 0 '"words"' "$WHORL" run tests/lang/accept/struct_mixed.c --test -q --json - "${cpu[@]}"
expect json 0 '"dtype": "f32"' bash -c "'$WHORL' run '$scale' -i x=arange:16 --device cpu -q --json -"
if [ "$(id -u)" != 0 ]; then # root could lose the link
    "$WHORL" run "$scale" -i x=arange:16 --device cpu -q --json /dev/stdout > "$work/said"
    holds json_to_dev_stdout grep -q '"f32"' "$work/said"
fi
ln -s "$work/target.npy" "$work/link.npy"
: > "$work/target.npy"
"$WHORL" run "$scale" -q -i x=arange:16 "${cpu[@]}" -o y="$work/link.npy"
holds output_through_a_link [ -s "$work/target.npy" -a -L "$work/link.npy" ]
expect verbose 0 'from // run:' "$WHORL" run "$scale" -i x=arange:16 -v "${cpu[@]}"
if command -v script > /dev/null && script -qec true /dev/null > /dev/null 2>&1; then
    tty() { script -qec "stty cols ${2:-80}; $1" /dev/null < /dev/null 2>&1 | tr -d '\r'; }
    tty "TERM=xterm '$WHORL' run '$scale' -i x=arange:16 --device cpu" > "$work/said"
    holds colours_on_a_terminal grep -q $'\033' "$work/said"
    tty "NO_COLOR=1 TERM=xterm '$WHORL' run '$scale' -i x=arange:16 --device cpu" > "$work/said"
    if grep -q $'\033' "$work/said"; then coloured=1; else coloured=0; fi
    holds no_color [ $coloured = 0 ]
    tty "NO_COLOR=1 '$WHORL' run '$scale' -i x=arange:16 --device cpu" 40 > "$work/said"
    holds narrow_terminal [ "$(awk 'length > w { w = length } END { print w }' "$work/said")" -le 40 ]
fi

# ---- pick and plot ----
"$WHORL" run "$scale" -q -i n=9 -i x=arange:9 -o y="$work/y.npy" "${cpu[@]}"
expect pick 0 'best     row 8        16' "$WHORL" pick "$work/y.npy"
expect pick_writes 0 'worst    row 0' "$WHORL" pick "$work/y.npy" --rows best,worst,4 -o rows="$work/rows.npy"
holds picked_rows [ "$(tail -c 12 "$work/rows.npy" | od -An -td4 | tr -d '\n' | tr -s ' ')" = ' 8 0 4' ]
expect pick_nowhere 1 "cannot write $work/none/r.npy" "$WHORL" pick "$work/y.npy" -o rows="$work/none/r.npy"
holds pick_nowhere_before_it_says bash -c "! grep -q 'row ' '$work/said'"
expect pick_no_rows 2 'pick writes -o rows=FILE.npy' "$WHORL" pick "$work/y.npy" -o y="$work/none/r.npy"
expect pick_wrong_row 1 'a row from 0 to 8' "$WHORL" pick "$work/y.npy" --rows 9
expect plot 0 'row 0, ends at 16' "$WHORL" plot "$work/y.npy"
# the labels of an axis differ, however small the range is beside the values
python3 -c 'import struct, sys; sys.stdout.buffer.write(b"\x93NUMPY\x01\x00\x76\x00" + b"{\x27descr\x27: \x27<f4\x27, \x27fortran_order\x27: False, \x27shape\x27: (1, 100), }".ljust(117) + b"\n" + struct.pack("<100f", *(1000 + i / 8192 for i in range(100))))' > "$work/near.npy"
expect plot_near 0 'row 0, ends at 1000.0121' "$WHORL" plot "$work/near.npy" --height 16
holds plot_labels_differ [ "$(grep -oE '^ *[0-9.]+ [|┤]' "$work/said" | sort | uniq | wc -l)" = 4 ]
expect plot_ascii 0 '+---' env LC_ALL=C "$WHORL" plot "$work/y.npy"
expect plot_nothing 1 'No such file' "$WHORL" plot "$work/none.npy"

# ---- devices ----
expect devices 0 'the CPU' "$WHORL" devices
expect no_compiler 3 'need a C compiler with OpenMP' env CC=nocc "$WHORL" run "$scale" --test --device cpu
expect no_such_device 3 'there is no device 99' "$WHORL" run "$scale" -i x=arange:16 --device 99
expect no_library 3 'cannot load the WebGPU library' env WHORL_WEBGPU="$work/none.so" "$WHORL" run "$scale" -i x=arange:16 --device gpu
expect not_a_library 3 'cannot load the WebGPU library' env WHORL_WEBGPU="$scale" "$WHORL" run "$scale" -i x=arange:16 --device gpu
expect auto_without_library 0 'max 30' env WHORL_WEBGPU="$work/none.so" "$WHORL" run "$scale" -i x=arange:16
mkdir -p "$work/left/whorl"
touch "$work/left/whorl/77-0x5ab.so" "$work/left/whorl/99999999999-notes.c"
touch -d '2 hours ago' "$work/left/whorl/77-0x5ab.c" "$work/left/whorl/99999999999-notes.c"
XDG_CACHE_HOME="$work/left" "$WHORL" run "$scale" -i x=arange:16 --device cpu -q
holds left_files_are_swept [ "$(cd "$work/left/whorl" && ls | grep -v '^cpu-' | tr '\n' ' ')" = "77-0x5ab.so 99999999999-notes.c " ]
# what the C compiler of the CPU device says of a line is told with that line, and not as a compiler that is missing
cat > "$work/pedantic" << 'END'
#!/bin/sh
[ "$1" = --version ] && echo "pedantic 1" && exit
printf 'program.c: In function f:\nprogram.c:8:9: error: needs braces\n    8 | #pragma\nprogram.c:9:1: error: another\n' >&2
exit 1
END
chmod +x "$work/pedantic"
expect compiler_refuses 1 "program.c:8:9: error: needs braces" env CC="$work/pedantic" "$WHORL" run "$scale" -i x=arange:16 --device cpu
if grep -qE 'install|error: another' "$work/said" || ! grep -q "so says '$work/pedantic' (pedantic 1)" "$work/said"; then fail compiler_refuses_advice "$(tr '\n' '|' < "$work/said")"
else ok compiler_refuses_advice; fi
expect no_compiler 3 'nowhere/cc' env CC=/nowhere/cc XDG_CACHE_HOME="$work/cache" "$WHORL" run "$scale" -i x=arange:16 --device cpu
if [ -e build/deps/lib/libwgpu_native-release.so ]; then
    expect no_adapter 3 'no GPU adapter' env VK_DRIVER_FILES="$work/none.json" VK_ICD_FILENAMES="$work/none.json" "$WHORL" run "$scale" -i x=arange:16 --device gpu
fi

# gcc 12 makes no pass of such a loop with the clause as it stands
printf '%s\n' 'void down(unsigned n, int x[n]) {' '#pragma omp parallel for schedule(dynamic)' '    for (unsigned i = n; i > 0; i--)' \
    '        x[i - 1] = (int)i;' '}' > "$work/down.c"
expect cpu_schedule 0 'min 1  mean 5  max 9' "$WHORL" run "$work/down.c" -i n=9 "${cpu[@]}"

# nor has it the other ways to write the smaller of two under `atomic compare`
printf '%s\n' 'void least(int n, const int x[n], int y[1]) {' '#pragma omp parallel for' '    for (int i = 0; i < n; i++) {' \
    '#pragma omp atomic compare' '        if (y[0] >= x[i]) y[0] = x[i];' '    }' '}' > "$work/least.c"
expect cpu_atomic_compare 0 'min -7  mean -7  max -7' "$WHORL" run "$work/least.c" -i n=3 -i x=4,-7,5 "${cpu[@]}"

# ---- what needs a GPU ----
if ! "$WHORL" run "$scale" -q --test --strategy single > "$work/said" 2>&1; then
    if [ -n "${SKIP_GPU:-}" ]; then echo "skip cli.gpu: no adapter ran (SKIP_GPU)"; else
        echo "FAIL cli.gpu: no adapter ran: $(head -n 1 "$work/said")"
        status=1
    fi
    exit $status
fi
expect strategy_cpu_is_the_cpu 0 'on the CPU:' "$WHORL" run "$scale" --test --device gpu --strategy cpu
# probe: measured once, then kept; every line fits; the JSON has what the words say
expect probe 0 'Barriers between workgroups' env XDG_CACHE_HOME="$work/probed" "$WHORL" probe
XDG_CACHE_HOME="$work/probed" "$WHORL" probe --json "$work/probe.json" > "$work/probe.txt"
XDG_CACHE_HOME="$work/probed" "$WHORL" probe --json "$work/again.json" -q
holds probe_is_kept cmp -s "$work/probe.json" "$work/again.json"
holds probe_fits_80_columns [ "$(grep -vF '/' "$work/probe.txt" | awk 'length > w { w = length } END { print w }')" -le 80 ]
holds probe_json python3 - "$work/probe.json" << 'PY'
import json, sys
d = json.load(open(sys.argv[1]))["device"]
g = d["grid"]
assert g["groups_max"] >= g["groups"] >= 1 and g["spins_per_ms"] > 1000, g
assert not g["ok"] or (g["tested"] > 0 and g["stale"] == 0 or g["fences_needed"]), g
assert g["ok"] or g["note"], g
assert d["limits"]["invocations"] >= 64 and d["ops_per_s"] > 0 and d["latency_ns"] > 0 and len(d["builtins"]) > 20
PY
expect probe_fresh 0 'measured now, in' env XDG_CACHE_HOME="$work/probed" "$WHORL" probe --fresh
expect probe_of_the_cpu 0 'nothing to measure' "$WHORL" probe --device cpu
long='programs/sims/acrobot.c --test -i pop=1024 -i steps=500' # longer than a slice by any machine's guess
expect slices_are_dispatches 0 'single, 1 dispatch in each of' "$WHORL" run $long --strategy single --slice-ms 1
expect slices_have_a_reason 0 'slices: a system may end a dispatch' "$WHORL" run $long --strategy single --slice-ms 1
cat > "$work/narrow.c" << 'C' # few iterations and very many steps: what a step takes is not in the iterations
void narrow(int n, int steps, float x[n]) {
    for (int t = 0; t < steps; t++) {
        float s = 0.0f;
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < n; i++) s += x[i];
#pragma omp parallel for
        for (int i = 0; i < n; i++) x[i] = 0.5f * x[i] + 0.1f * s;
    }
}
C
expect narrow_loops_are_cut 0 'single, 1 dispatch in each of' "$WHORL" run "$work/narrow.c" -i n=4 -i steps=20000 -i x=const:1 --device gpu --strategy single --slice-ms 50 --json "$work/narrow.json"
holds narrow_loops_are_cut_short [ "$(sed -n 's/.*"slices": //p' "$work/narrow.json" | tr -d ,)" -ge 10 ]
# Iterations that cannot pause, as their lanes share large local arrays: a few are a slice; a whole program with a barrier behind them is in parts.
for tail in "" "float m = out[0];
#pragma omp parallel for reduction(min : m)
for (int i = 0; i < n; i++) m = out[i] < m ? out[i] : m;
out[0] = m;"; do
    cat > "$work/cannot_pause.c" << END
// check: near 1e-3
void cannot_pause(int n, int steps, float out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a[900];
        for (int k = 0; k < 900; k++) a[k] = 0.001f * (k + i);
        for (int t = 0; t < steps; t++) {
            float sum = 0.0f;
            for (int k = 0; k < 900; k++) sum += a[k];
            for (int k = 0; k < 900; k++) a[k] = 0.99f * a[k] + 1e-5f * sum;
        }
        out[i] = a[3];
    }
    $tail
}
END
    name=cannot_pause${tail:+_behind}
    words=${tail:+fell back: single would take too long at once}
    expect "$name" 0 "${words:-dispatch in each of}" "$WHORL" run "$work/cannot_pause.c" -i n=256 -i steps=200 --device gpu --strategy single --slice-ms 4 --check --json "$work/pause.json"
    holds "${name}_in_slices" [ "$(sed -n 's/.*"slices": //p' "$work/pause.json" | tr -d ,)" -ge 3 ]
done
expect check 0 'ok (exact; largest difference 0)' "$WHORL" run "$scale" --test --check
cat > "$work/differs.c" << 'C'
// run: -i n=64 -i x=uniform:lo=-9,hi=9,seed=1
// check: y exact
#include <math.h>
void differs(int n, const float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = sinf(x[i]);
}
C
expect check_finds_a_difference 1 'the results are not those of the CPU' "$WHORL" run "$work/differs.c" --check
expect check_names_the_race_finder 1 'differs.c --race` looks for' "$WHORL" run "$work/differs.c" --check
expect check_names_fast_math 1 'without --fast-math functions have small errors' "$WHORL" run "$work/differs.c" --check --fast-math
expect check_says_what_would_accept 1 'the line `// check: y abs ' "$WHORL" run "$work/differs.c" --check
cat > "$work/whole.c" << 'C'
// run: -i n=64 -i x=arange
#include <math.h>
void whole(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (int)(sinf(x[i] * 0.37f) * 2147000000.0f);
}
C
# of integers nothing is said that is about floats
"$WHORL" run "$work/whole.c" --check > "$work/said" 2>&1
holds check_of_integers_says_no_more grep -q 'the results are not those of the CPU' "$work/said"
holds check_of_integers_has_no_tolerance bash -c "! grep -Eq 'floats may miss|would accept|CPU has .*e' '$work/said'"
printf '%s\n' 'void f(int n, int x[n]) {' '#pragma omp parallel for' 'for (int i = 0; i < n; i++) x[i] /= 0; }' > "$work/zero.c"
"$WHORL" run "$work/zero.c" -i n=4 > "$work/said" 2>&1
holds a_refusal_is_said_once [ "$(grep -c ' by zero' "$work/said")" = 1 ]
sed 's/sinf(x\[i\])/sinf(x[i] * 1.01f) - sinf(x[i])/; /check/d' "$work/differs.c" > "$work/left.c" # what is left of larger values, next to 0
# the element that is furthest off is named, with what both sides have
"$WHORL" run "$work/left.c" --check > "$work/said" 2>&1
holds check_without_a_line grep -Eq 'ok \(near 0.0001; largest scaled difference [0-9.e-]+ at \[[0-9]+\]: [0-9.e-]+, the CPU has [0-9.e-]+\)' "$work/said"
expect explain_cpu_only 0 'a GPU: none takes it: tests/lang/refuse/long_atomic.c:7:13: error' "$WHORL" explain tests/lang/refuse/long_atomic.c -i n=16 --device cpu
expect explain_cpu_too 0 'auto: cpu: the device is the CPU' "$WHORL" explain programs/grids/heat.c --test --device cpu
if grep -q 'none takes it' "$work/said"; then fail explain_cpu_too_gpu "$(tail -n 2 "$work/said")"; else ok explain_cpu_too_gpu; fi
expect explain_copies 0 'fuse: the copies of the loop at line' "$WHORL" explain programs/grids/heat.c --test --portable
expect compare 0 'single is' "$WHORL" run programs/sims/acrobot_steps.c --compare -i pop=32 -i steps=20
expect compare_does_not_time_wrong_results 1 'not timed:' "$WHORL" run "$work/differs.c" --compare
expect wrong_after 2 "there is no pass 'nothing'" "$WHORL" show "$scale" --test --after=nothing
expect wrong_pass 2 "there is no pass 'nothing'" "$WHORL" run "$scale" --test --pass-off nothing
# 1.6 GB: over a software driver's limit; memory is taken for a moment only where there is enough
if [ "$(awk '/MemAvailable/ { print $2 }' /proc/meminfo 2> /dev/null || echo 0)" -gt 8000000 ] && "$WHORL" devices | grep -q software; then
    printf 'void f(int n, float y[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) y[i] = 1.0f;\n}\n' > "$work/large.c"
    expect device_limit 1 "the device's limit is" "$WHORL" run "$work/large.c" -i n=400000000 --device gpu
fi
stop_on_the_way() { # SIGNAL COMMAND...: in the background; the signal once it has shown progress
    local signal=$1
    shift
    "$@" > "$work/said" 2>&1 < /dev/null &
    job=$!
    for _ in $(seq 300); do
        grep -q 'after slice' "$work/said" && break
        sleep 0.1
    done
    kill -"$signal" $job
}
stop_on_the_way INT "$WHORL" run programs/sims/acrobot.c --strategy single -i pop=4096 -i steps=20000
wait $job
holds interrupt [ $? = 130 ]
holds interrupt_says_so grep -q 'cancelled after .* of the work; nothing was written' "$work/said"
holds progress_in_a_pipe grep -q 'after slice' "$work/said"
holds interrupt_says_how grep -q -- '--checkpoint FILE' "$work/said"
# what a GPU has no room for, a CPU may have; `auto` takes the CPU where there is no GPU
large=(tests/lang/refuse/local_too_large.c -i n=4096 -i x=const:1)
expect private_on_cpu 0 'max' "$WHORL" run "${large[@]}" --device cpu
expect private_on_no_gpu 0 'the CPU' env WHORL_WEBGPU=/none "$WHORL" run "${large[@]}"
expect private_on_gpu 1 'the CPU has no such limit' "$WHORL" run "${large[@]}" --device gpu
# where data decide how much there is, nothing is a part of it
printf 'void f(int n, int flag[1], int x[n]) {\n    while (flag[0] == 0) {\n#pragma omp parallel for\n        for (int i = 0; i < n; i++) x[i] += 1;\n    }\n}\n' > "$work/for_ever.c"
"$WHORL" run "$work/for_ever.c" -i n=64 -i flag=const:0 -i x=const:0 --device gpu --strategy steps --max-time 4 > "$work/said" 2>&1 < /dev/null
holds progress_of_unknown_work grep -qE 'dispatches after slice [0-9]+, ' "$work/said"
holds progress_of_unknown_work_ends grep -qE 'stopped after [0-9]+ dispatches, .* s: the time given to it is over' "$work/said"
holds progress_of_unknown_work_has_no_part [ "$(grep -c '%' "$work/said")" = 0 ]
# a terminal that goes away stops a run like Ctrl-C; under nohup it does not
# the tests themselves may run under nohup
stop_on_the_way HUP env --default-signal=HUP "$WHORL" run programs/sims/acrobot.c --strategy single -i pop=4096 -i steps=20000 --checkpoint "$work/hup.ckpt"
wait $job
holds hangup [ $? = 130 ]
holds hangup_keeps_the_state grep -q 'hup.ckpt has its state' "$work/said"
stop_on_the_way HUP nohup "$WHORL" run programs/sims/acrobot.c --strategy single -i pop=4096 -i steps=20000
sleep 0.2 # for what it would say
if grep -q 'stopping after' "$work/said"; then fail nohup "SIGHUP stops it"; else ok nohup; fi
holds nohup_runs_on kill -TERM $job
wait $job
# ---- a program that falls over on the CPU ----
# who reads what it writes may go: the command ends as any other does, and says nothing
(sleep 0.5; "$release" explain programs/sims/sphere.c --test 2> "$work/said"; echo $? > "$work/status") | true
holds closed_output [ "$(cat "$work/status")" = 141 ]
holds closed_output_is_no_crash [ ! -s "$work/said" ]
crash() { sed "s/y\[i\] = .*/$1/" "$scale" > "$work/crash.c"; }
crash 'for (y[i] = 1.0f; y[i] > 0.0f; y[i] = 1.0f) ;' # what the C library does when it finds its heap in pieces
XDG_CACHE_HOME="$work/crashed" "$release" run "$work/crash.c" -i x=arange:16 --device cpu > "$work/said" 2>&1 < /dev/null &
job=$!
for _ in $(seq 100); do # until it runs: it is compiled, and nothing but the program takes that much of a processor
    sleep 0.1
    worker=$(pgrep -P $job)
    ls "$work"/crashed/whorl/cpu-*.so > "$work/log" 2>&1 && [ "$(awk '{ print $14 }' "/proc/$worker/stat")" -gt 20 ] && break
done
kill -ABRT "$worker"
wait $job
holds crash_heap [ $? = 1 ]
holds crash_heap_says_so grep -q 'the program damaged memory on the CPU' "$work/said"
crash 'y[i + (int)x[0] + 999999999] = 1.0f;' # an index that is known when it runs
expect crash_memory 1 'an index is outside its array' "$release" run "$work/crash.c" -i x=arange:16 --device cpu
crash 'y[i] = (float)(n \/ (i - 3));'
printf 'void f(int n, const int x[n], int y[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) {\n        int z = x[i] - x[i];\n        y[i] = 7 / z;\n    }\n}\n' > "$work/zero.c"
expect crash_known_division 1 'integer division by a' "$release" run "$work/zero.c" -i n=8 -i x=arange --device cpu
expect crash_division 1 'an integer division by zero' "$release" run "$work/crash.c" -i x=arange:16 --device cpu
# ---- runs in parts ----
cat > "$work/long.c" << 'C'
void stir(int n, int steps, unsigned x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int t = 0; t < steps; t++)
            x[i] = x[i] * 1664525u + 1013904223u + (unsigned)(t ^ i);
}
C
long=("$work/long.c" --strategy single -i n=64 -i steps=3000 -i x=arange --slice-ticks 200 -q)
expect max_time 124 "the time given to it" "$release" run "${long[@]}" --max-time 0.000001
expect max_time_checkpoint 124 "the same command with --resume $work/run.ckpt" "$release" run "${long[@]}" --max-time 0.000001 --checkpoint "$work/run.ckpt"
holds resume "$WHORL" run "${long[@]}" --resume "$work/run.ckpt" --json "$work/parts.json"
holds whole "$WHORL" run "${long[@]}" --json "$work/whole.json"
holds resumed_bits [ "$(grep '"hash"' "$work/parts.json")" = "$(grep '"hash"' "$work/whole.json")" ]
holds resumed_slices [ "$(sed -n 's/.*"slices": //p' "$work/parts.json" | tr -d ,)" -lt "$(sed -n 's/.*"slices": //p' "$work/whole.json" | tr -d ,)" ]
expect resume_other 1 "is of another program, or of other scalars or options ('stir' on " "$WHORL" run "${long[@]}" -i steps=3001 --resume "$work/run.ckpt"
expect resume_nothing 1 "cannot open $work/none.ckpt" "$WHORL" run "${long[@]}" --resume "$work/none.ckpt"
head -c 1000 "$work/run.ckpt" > "$work/cut.ckpt"
expect resume_cut 1 "is damaged: it has 1000 bytes" "$WHORL" run "${long[@]}" --resume "$work/cut.ckpt"
expect checkpoint_nowhere 1 "the folder is not there" "$WHORL" run "${long[@]}" --checkpoint "$work/none/run.ckpt"
expect checkpoint_folder 1 "it is a folder" "$WHORL" run "${long[@]}" --checkpoint "$work"
expect checkpoint_cpu 2 "need a GPU" "$WHORL" run "$scale" --test --device cpu --checkpoint "$work/run.ckpt"
expect checkpoint_compare 2 "are for one run" "$WHORL" run "$scale" --test --compare --checkpoint "$work/run.ckpt"
expect max_time_zero 2 "above 0" "$WHORL" run "$scale" --max-time 0
expect race_has_no_results 2 "gives no results" "$WHORL" run "$scale" --test --race --resume "$work/run.ckpt"
expect max_time_negative 2 "above 0" "$WHORL" run "$scale" --max-time -1
exit $status
