// threadprivate variables of file scope and of functions: initial values, values that stay from region to region, in
// called functions, under static schedules, arrays, structs, pointers to them and in them, nested regions, copyin.
// test: -i n=600
// check: exact
#include <omp.h>

struct state {
    unsigned word;
    int draws[2];
};

static int counter = 7, untouched = 5;
static float row[5] = {1.0f, 2.0f};
static struct state state = {17u, {1, 2}};
static int *at;
static long long total;
#pragma omp threadprivate(counter, row)
#pragma omp threadprivate(state, untouched, at, total)

static unsigned draw(void) {
    state.word = state.word * 1664525u + 1013904223u;
    state.draws[state.word >> 31]++;
    return state.word >> 8;
}

static int calls(void) {
    static int before = 100;
#pragma omp threadprivate(before)
    return before++;
}

static void add(float *to, float what) { *to += what; }

void threads(int n, int x[n], float y[40], int out[40][8], int own[16]) {
    counter = 3; // thread 0's
    state.word = 23u;
    int *first = &counter;
#pragma omp parallel num_threads(40)
    {
        int tid = omp_get_thread_num();
        counter += tid;
        out[tid][0] = counter;
        state.word += (unsigned)tid;
        at = &x[tid];
#pragma omp for
        for (int i = 0; i < n; i++) {
            x[i] = (int)(draw() % 1000u) + calls();
            counter++;
            total += (long long)x[i] << 24;
        }
        add(&row[tid % 5], (float)tid);
        *at += 1;
    }
    own[0] = *first;
    own[1] = counter++;
    own[2] = calls();
#pragma omp parallel num_threads(40)
    {
        int tid = omp_get_thread_num();
        for (int k = 0; k < 5; k++)
            y[tid] += row[k] * (float)(k + 1);
        out[tid][1] = counter;
        out[tid][2] = state.draws[0] - state.draws[1];
        out[tid][3] = (int)(total >> 24);
        out[tid][4] = calls();
        if (tid == 3)
            *at += 1000;
#pragma omp parallel num_threads(4)
        counter += omp_get_thread_num() + 1;
        out[tid][5] = counter;
    }
    own[3] = x[3];
    counter = 40;
    row[1] = 0.5f;
    state.draws[1] = -9;
    at = &x[5];
#pragma omp parallel num_threads(40) copyin(counter, row, state, at)
    {
        int tid = omp_get_thread_num();
        out[tid][6] = counter * 10 + state.draws[1] + *at + (int)(row[1] * 4.0f);
        counter += tid;
#pragma omp critical
        own[4] += counter;
#pragma omp master
        own[5] = counter + untouched;
    }
#pragma omp parallel for num_threads(40) copyin(counter)
    for (int i = 0; i < n; i++) {
        counter += i;
        if (i % (n / 40) == n / 40 - 1) out[omp_get_thread_num()][7] = counter;
    }
    own[8] = counter;
#pragma omp parallel num_threads(2) copyin(counter) default(none) shared(own)
    if (omp_get_thread_num() == 1) own[9] = counter;
}
