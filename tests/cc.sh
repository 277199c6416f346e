#!/usr/bin/env bash
# `whorl cc` in place of the C compiler: each program of tests/cc, a file or a folder with a Makefile, is built by both and run as it is,
# with WHORL=off and with WHORL=check; output, exit status and what ran where must be right. Prints `ok NAME`, `FAIL NAME: why` or
# `skip NAME: why`, one a line.
#
#   tests/cc.sh [PROGRAM...]
#
# In a program: `// args: ...` and `// build: ...` lines (`// build, too: ...`: once more, with other options), `// plain` (no runtime may be in it), and behind a pragma or a loop
#   // GPU                     it must run there
#   // GPU: TEXT               and the report of the run must say TEXT of it
#   // CPU: TEXT               --report must say CPU, and TEXT
#   // CPU, the loop: TEXT     --report must say that the loop stays there, and TEXT
#   // CPU at run time: TEXT   the report of the run must
set -uo pipefail
cd "$(dirname "$0")/.."
suite=cc
. tests/expect.sh

root=$PWD
mkdir "$work/bin"
ln -s "$WHORL" "$work/bin/whorl"
export PATH=$work/bin:$PATH WHORL_CC=${CC:-gcc} OMP_NUM_THREADS=2 WHORL_CC_RUNTIME=$root/build/release/libwhorl_cc.a
export OMP_MAX_ACTIVE_LEVELS=1 WHORL_KERNEL_TIME=120 # other tests run beside these
unset WHORL_DEVICE
export -n WHORL # the programs read it, too
list=$*
[ $# != 0 ] || list=$(cd tests/cc && ls -d -- *.c */ | sed 's/\.c$//; s,/$,,')

# Marks of a program's files, as `main.c:12 WORDS`.
marks() { grep -nE '// (GPU|CPU)' "$@" /dev/null | sed -E 's,^[^:]*/,,; s,:([0-9]+):.*// (GPU|CPU),:\1 \2,'; }

# build FOLDER COMPILER...: into FOLDER/program.
build() {
    local folder=$1
    shift
    if [ -e "$folder/Makefile" ]; then
        make -s -C "$folder" CC="$*"
    else
        (cd "$folder" && "$@" -O2 -Wall -Werror -fopenmp $options "$name.c" -lm -o program)
    fi
}
run() { # FOLDER OUTPUT VARIABLE=VALUE...: its output and exit status
    local folder=$1 output=$2
    shift 2
    (cd "$folder" && env "$@" timeout 300 ./program $arguments > "$output" 2> "$output.err"; echo "status $?" >> "$output")
}

gpu=gpu
printf '#include <stdio.h>\nstatic float x[9];\nint main(void) {\n#pragma omp parallel for\n    for (int i = 0; i < 9; i++)\n        x[i] = 2;\n    return x[3] != 2;\n}\n' > "$work/probe.c"
whorl cc -fopenmp "$work/probe.c" -o "$work/probe" && WHORL=gpu,verbose WHORL_DEVICE=$gpu "$work/probe" 2> "$work/said"
if ! grep -q ': GPU,' "$work/said"; then
    if [ "${SKIP_GPU:-0}" = 1 ]; then echo "skip $suite.gpu: no GPU"; else fail gpu "$(head -c 300 "$work/said" | tr '\n' '|')"; fi
    gpu=
fi

# Nothing is offloaded where no driver can be loaded.
if cc -static -fopenmp "$work/probe.c" -o "$work/static" 2> /dev/null; then
    whorl cc --report -static -fopenmp "$work/probe.c" -o "$work/static" > /dev/null 2> "$work/said"
    if grep -q 'whorl cc: linked with -static, .*on the CPU' "$work/said" && WHORL=gpu "$work/static"; then ok static; else fail static "$(head -c 300 "$work/said" | tr '\n' '|')"; fi
fi

# One program, its results to standard output. LINE: which lines of its head have the options.
program() { # NAME LINE LABEL
    local name=$1 line=$2 label=$3 file options arguments plain side ours theirs all way mark place words said text here
    here=$work/$label.work
    mkdir "$here"
    file=tests/cc/$name.c
    [ -e "$file" ] || file=tests/cc/$name/main.c
    options=$(sed -n "s/^\/\/ $line: //p" "$file") arguments=$(sed -n 's,^// args: ,,p' "$file")
    plain=$(grep -c '^// plain' "$file")
    for side in cc whorl; do
        mkdir -p "$work/$label.$side"
        if [ -d "tests/cc/$name" ]; then cp "tests/cc/$name"/* "$work/$label.$side"; else cp "$file" "$work/$label.$side"; fi
    done
    ours=$work/$label.whorl theirs=$work/$label.cc
    all=$options options=${options/-fdouble=float/} options=${options/-fdouble=pair/}
    if ! build "$theirs" "$WHORL_CC" > "$here/said" 2>&1; then fail "$label.cc" "$(head -c 300 "$here/said" | tr '\n' '|')"; return 1; fi
    options=$all
    if ! build "$ours" whorl cc --report > "$here/report" 2>&1; then fail "$label.build" "$(head -c 300 "$here/report" | tr '\n' '|')"; return 1; fi
    run "$theirs" "$here/wanted"
    for way in off none auto gpu check; do
        case $way in
        off) run "$ours" "$here/got" WHORL=off ;;
        auto) run "$ours" "$here/got" WHORL= WHORL_DEVICE=gpu ;;
        none) run "$ours" "$here/got" VK_ICD_FILENAMES=/none VK_DRIVER_FILES=/none ;;
        *) [ -n "$gpu" ] || continue ;;&
        gpu) run "$ours" "$here/got" WHORL=gpu,verbose WHORL_DEVICE=gpu; cp "$here/got.err" "$here/verbose" ;;
        check) run "$ours" "$here/got" WHORL=check WHORL_DEVICE=gpu ;;
        esac
        if ! cmp -s "$here/wanted" "$here/got"; then
            fail "$label.$way" "wanted $(head -c 200 "$here/wanted" | tr '\n' '|') got $(head -c 200 "$here/got" | tr '\n' '|') $(head -c 200 "$here/got.err")"
        elif [ $way = check ] && grep -q '^whorl' "$here/got.err"; then fail "$label.$way" "$(head -c 300 "$here/got.err" | tr '\n' '|')"
        else ok "$label.$way"; fi
    done
    if [ "$plain" = 1 ]; then
        if grep -q whorl "$ours/program"; then fail "$label.plain" "there is something of whorl in it"; else ok "$label.plain"; fi
    fi
    while IFS= read -r mark; do
        [ -n "$mark" ] || continue
        place=${mark%% *} words=${mark#* }
        begins="$place: ${words:0:3}"
        case $words in
        GPU) [ -n "$gpu" ] || continue; said=$here/verbose text="$place: GPU," ;;
        'GPU: '*) [ -n "$gpu" ] || continue; said=$here/verbose text=${words#GPU: } ;;
        'CPU at run time: '*) [ -n "$gpu" ] || continue; said=$here/verbose text=${words#CPU at run time: } ;;
        'CPU, the loop: '*) said=$here/report begins="$place: the loop stays on the CPU" text=${words#CPU, the loop: } ;;
        *) said=$here/report text=${words#CPU:} text=${text# } ;;
        esac
        if grep -F "$begins" "$said" | grep -qF -- "$text"; then ok "$label.${place#*:}"
        else fail "$label.${place#*:}" "wanted \"$mark\", said $(grep -F "$place:" "$here/report" "$said" | tr '\n' '|')"; fi
    done < <(marks "$ours"/*.c)
    return $status
}

for name in $list; do # two at a time: much of it is waiting
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do wait -n; done
    {
        program "$name" build "$name"
        if grep -qs '^// build, too: ' "tests/cc/$name.c"; then program "$name" 'build, too' "$name.too"; fi
    } > "$work/$name.results" &
done
wait
cat "$work"/*.results
if grep -q '^FAIL' "$work"/*.results; then status=1; fi

# ---- the driver itself ----
if [ $# = 0 ]; then
    cd "$work" || exit 1
    cp "$root/tests/cc/heat.c" "$root/tests/cc/serial.c" .
    expect help 0 'usage: whorl cc' whorl cc --help
    echo 'int main(void) { return wrong; }' > wrong.c
    expect error 1 'wrong' whorl cc -fopenmp wrong.c -o wrong
    printf 'int main(void) {\n#pragma omp parallel for\n    for (int i = 0; i < 9; i++)\n        wrong(i);\n}\n' > wrong2.c
    expect error_place 1 'wrong2.c:4' whorl cc -fopenmp -Werror=implicit-function-declaration wrong2.c -o wrong
    expect no_file 1 'missing.c' whorl cc -fopenmp missing.c
    expect double_pair 2 'fdouble=float' whorl cc -fdouble=half heat.c
    expect no_openmp 0 'without -fopenmp' whorl cc --report heat.c -o heat
    expect unsigned_chars 0 'or -funsigned-char, all regions stay on the CPU' whorl cc --report -fopenmp -fno-signed-char heat.c -o heat
    expect preprocess 0 'pragma omp parallel for' whorl cc -fopenmp -E heat.c
    # what depends on when others come differs: on the GPU several iterations count before the first of them looks
    printf '%s\n' '#include <stdio.h>' 'int main(void) {' '    int x[64], n = 0, s;' '#pragma omp parallel for private(s)' \
        '    for (int i = 0; i < 64; i++) {' '#pragma omp atomic' '        n++;' '#pragma omp atomic read' '        s = n;' \
        '        x[i] = s;' '    }' '    printf("%d\n", x[1]);' '    return 5;' '}' > differs.c
    if [ -n "$gpu" ] && whorl cc -fopenmp differs.c -o differs; then
        expect differs 5 "elements: element 0 of 'x' is 1 on the CPU and" env WHORL=check WHORL_DEVICE=gpu OMP_NUM_THREADS=1 ./differs
        expect differs_exit 9 'differs.c:4' env WHORL=check-exit WHORL_DEVICE=gpu OMP_NUM_THREADS=1 ./differs
        expect differs_off 5 '2' env WHORL=off WHORL_DEVICE=gpu OMP_NUM_THREADS=1 ./differs
        WHORL=check WHORL_DEVICE=gpu OMP_NUM_THREADS=1 ./differs > said 2>&1
        if grep -q rounding said; then fail differs_for_good "$(cat said)"; else ok differs_for_good; fi
        expect unknown_word 5 'WHORL=of is not known' env WHORL=of ./differs
    fi
    # what is left of large numbers, and nothing else: reported, with how little it is
    printf '%s\n' '#include <math.h>' '#include <stdio.h>' 'static float x[1000], left[1000];' 'int main(void) {' \
        '    for (int i = 0; i < 1000; i++)' '        x[i] = 1000 + (float)i * 0.37f;' '#pragma omp parallel for' '    for (int i = 0; i < 1000; i++)' \
        '        left[i] = expf(logf(x[i])) - x[i];' '    printf("%g\n", (double)left[0] * 0);' '    return 5;' '}' > noise.c
    if [ -n "$gpu" ] && whorl cc -fopenmp noise.c -o noise -lm; then
        expect noise 5 'roundings of 1369.63 off, the largest number in its arrays' env WHORL=check WHORL_DEVICE=gpu ./noise
    fi
    # of a region with atomic capture, what stands where the counter said is open, and nothing else
    printf '%s\n' '#include <stdio.h>' 'static int list[63], y[63];' 'int main(void) {' '    int n = 0;' \
        '#pragma omp parallel for' '    for (int i = 0; i < 63; i++) {' '        int k, s;' '#pragma omp atomic capture' \
        '        k = n++;' '        list[k] = 62 - i;' '#pragma omp atomic read' '        s = n;' '        y[(i + s) % 63] = i;' '    }' \
        '    printf("%d %d\n", n, y[1]);' '    return list[0] < 0;' '}' > permuted.c
    if [ -n "$gpu" ] && whorl cc -fopenmp permuted.c -o permuted; then
        expect permuted 0 "of 'y' is" env WHORL=check WHORL_DEVICE=gpu OMP_NUM_THREADS=1 ./permuted
    fi
    # short calls: the CPU is faster, and measured to be so
    printf '%s\n' '#include <stdio.h>' 'static float x[64];' 'int main(void) {' '    for (int t = 0; t < 500; t++) {' '#pragma omp parallel for' \
        '        for (int i = 0; i < 64; i++)' '            x[i] = x[i] * 0.5f + (float)i;' '        if (t % 100 == 99) printf("%g\n", x[3]);' '    }' '}' > short.c
    if [ -n "$gpu" ] && whorl cc -fopenmp short.c -o short; then
        expect short 0 'faster there' env WHORL=verbose WHORL_DEVICE=gpu OMP_NUM_THREADS=1 ./short
        if grep -q ': CPU, [0-9]* calls: to be timed there$' said && ! grep -q 'faster there: 0 ms' said && awk '/: CPU,|: GPU,/ { n += $4 } END { exit n != 500 }' said; then ok short_reasons
        else fail short_reasons "$(tr '\n' '|' < said)"; fi
        expect short_forced 0 'short.c:5: GPU, 500 calls' env WHORL=gpu,verbose WHORL_DEVICE=gpu ./short
    fi
    # calls that stay on the CPU for one reason do not hide those that do for another
    cat > reasons.c << 'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
static void add(int n, float *to, const float *from) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}
int main(void) {
    float *a = calloc(4000, 4), *b = calloc(4000, 4);
    float *c = mmap(NULL, 16000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int t = 0; t < 3; t++) add(4000, a, b);
    for (int t = 0; t < 4; t++) add(4000, c, a);
    add(4000, a, a);
    add(4000, c, b);
    printf("%g %g\n", (double)a[1], (double)c[1]);
}
C
    if [ -n "$gpu" ] && whorl cc -O2 -fopenmp reasons.c -o reasons; then
        expect reasons_report 0 'reasons.c:13: offloaded, the whole loop where a call can: ' whorl cc --report -O2 -fopenmp -c reasons.c
        expect reasons_gpu 0 'reasons.c:5: GPU, 1 call,' env WHORL=gpu,verbose WHORL_DEVICE=gpu ./reasons
        expect reasons_memory 0 "reasons.c:5: CPU, 5 calls: where 'to' points, no memory is known" env WHORL=gpu,verbose WHORL_DEVICE=gpu ./reasons
        expect reasons_loop 0 "reasons.c:13: the loop's regions one by one, 1 call: where 'c' points" env WHORL=gpu,verbose WHORL_DEVICE=gpu ./reasons
    fi
    printf '%s\n' 'static float work[64], a[900];' '#pragma omp threadprivate(work)' 'void f(int n) {' '#pragma omp parallel for' \
        '    for (int i = 0; i < 900; i++) {' '        for (int k = 0; k < n; k++) work[k] = a[i];' '        a[i] = work[3];' '    }' '}' > asked.c
    expect reasons_asked 0 'asked.c:4: offloaded, but where ((long long)n < 4): ' whorl cc --report -fopenmp -c asked.c
    # a device that is lost in one region: that one stays on the CPU, others go on with a new device
    library=${WHORL_WEBGPU:-$(sed -n 's/^webgpu=//p' "$root/build/deps/paths.conf" 2> /dev/null)}
    nm -D "$library" > names 2> /dev/null
    if ! grep -q wgpuDeviceCreateShaderModuleTrusted names; then
        echo "skip $suite.lost: the WebGPU library is not wgpu-native"
    elif [ -n "$gpu" ]; then
        cc -shared -fPIC -I "$root/third_party/webgpu" -o slow.so "$root/tests/slow_library.c" -Wl,--no-as-needed "$library" \
            -Wl,-rpath,"$(dirname "$library")" || fail lost.library 'it cannot be built'
        cat > lost.c << 'C'
#include <stdio.h>
static float x[40000], y[40000], z[40000];
static void add(void) {
#pragma omp parallel for
    for (int i = 0; i < 40000; i++)
        y[i] += 1;
}
int main(void) {
    add();
#pragma omp parallel for
    for (int i = 0; i < 40000; i++)
        x[i] = (float)(i % 8) + 1234577;
    add();
#ifdef AGAIN
#pragma omp parallel for
    for (int i = 0; i < 40000; i++)
        z[i] = x[i] - 1234577;
    add();
#pragma omp parallel for
    for (int i = 0; i < 40000; i++)
        z[i] += x[i] / 1234577;
    add();
#endif
    printf("%g %g %g\n", (double)x[7], (double)y[9], (double)z[3]);
    return 0;
}
C
        lost() { # NAME WHAT IS SAID OF add, STATUS, VARIABLE=VALUE...
            local name=$1 words=$2 wanted=$3
            shift 3
            env WHORL=gpu,verbose WHORL_DEVICE=gpu WHORL_WEBGPU="$work/slow.so" STAND_IN_AT=1234577 "$@" timeout 300 ./lost > got 2> said
            local rc=$?
            if [ $rc = "$wanted" ] && { [ "$rc" != 0 ] || cmp -s wanted got; } && grep -qE "$words" said; then ok "lost_$name"
            else fail "lost_$name" "status $rc: $(tail -n 1 got) $(head -c 600 said | tr '\n' '|')"; fi
        }
        whorl cc -O2 -fopenmp lost.c -o lost && WHORL=off ./lost > wanted
        env WHORL=gpu WHORL_DEVICE=gpu WHORL_WEBGPU="$work/slow.so" ./lost > said 2>&1 # what is measured of this library is kept
        lost slow 'lost.c:4: GPU, 2 calls' 0 STAND_IN=sleep WHORL_KERNEL_TIME=1
        lost slow_region 'lost.c:10: CPU, 1 call: .* took more than 1 s' 0 STAND_IN=sleep WHORL_KERNEL_TIME=1
        for submit in 1 2 3; do lost "run_$submit" 'lost.c:4: GPU, 2 calls' 0 STAND_IN=lose STAND_IN_SUBMIT=$submit; done
        whorl cc -O2 -fopenmp -DAGAIN lost.c -o lost && WHORL=off ./lost > wanted
        lost thrice 'lost.c:4: CPU, 1 call: the GPU was lost 3 times' 0 STAND_IN=sleep WHORL_KERNEL_TIME=1
        lost thrice_before 'lost.c:4: GPU, 3 calls' 0 STAND_IN=sleep WHORL_KERNEL_TIME=1
    fi
    # programs of a generator: every result of the CPU's
    for generator in random_program random_threads random_rooms; do
        for seed in $(seq 1 "${CC_RANDOM:-4}"); do
            python3 "$root/tests/cc/$generator.py" "$seed" > random.c
            if ! "$WHORL_CC" -O1 -w -fopenmp random.c -o random0 || ! whorl cc -O1 -w -fopenmp random.c -o random1 2> said; then
                fail "${generator}_$seed" "cannot be built: $(head -c 300 said | tr '\n' '|')"
                continue
            fi
            ./random0 > wanted
            WHORL=gpu WHORL_DEVICE=gpu timeout 300 ./random1 > got 2> said
            if cmp -s wanted got; then ok "${generator}_$seed"
            else fail "${generator}_$seed" "tests/cc/$generator.py $seed: $(tail -n 1 wanted) / $(tail -n 1 got) $(head -c 200 said)"; fi
        done
    done
    # an object that is linked by another compiler runs on the CPU
    if whorl cc -fopenmp -c heat.c -o heat.o && "$WHORL_CC" -fopenmp heat.o -o heat 2> said && { ./heat > said; [ $? = 3 ]; }; then ok object
    else fail object "$(head -c 300 said)"; fi
    # a compiler that does not take what became of the file
    printf '#!/bin/sh\nfor a; do case $a in *.i) exit 1 ;; esac; done\nexec %s "$@"\n' "$WHORL_CC" > picky
    chmod +x picky
    expect picky 0 'heat.c is compiled for the CPU' env WHORL_CC=./picky "$work/bin/whorl" cc -fopenmp heat.c -o heat
    if ./heat > said; [ $? = 3 ]; then ok picky_run; else fail picky_run "$(head -c 300 said)"; fi
    # files of arguments, and dependencies as the compiler writes them
    printf '%s\n' '-O1 -fopenmp' '"heat.c"' -c > arguments
    if whorl cc @arguments && [ -s heat.o ]; then ok arguments; else fail arguments "no heat.o"; fi
    whorl cc -fopenmp -MMD -c heat.c -o ours.o && "$WHORL_CC" -fopenmp -MMD -c heat.c -o theirs.o
    if sed s/theirs/ours/ theirs.d | cmp -s - ours.d; then ok depend; else fail depend "$(cat ours.d theirs.d | tr '\n' '|')"; fi
    if whorl cc -fopenmp heat.c serial.c -c && [ -s serial.o ]; then ok two_objects; else fail two_objects "no serial.o"; fi
fi
exit $status
