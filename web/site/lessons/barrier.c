// barrier.c - a ring of cells, each of which becomes the mean of itself and its neighbours, step after step.
//
// A cell needs its neighbours of the step before, which another workgroup may have computed: in one dispatch, all
// workgroups wait for each other once a step. With -D ALONE a cell looks at itself only. The arithmetic is the same, and
// no barrier is left.
//
// run: -i n=16384 -i steps=1000 -i x=normal:seed=1
// test: -i n=1024 -i steps=100 -i x=normal:seed=1
// check: abs 1e-4
#ifdef ALONE
#define LEFT i
#define RIGHT i
#else
#define LEFT (i == 0 ? n - 1 : i - 1)
#define RIGHT (i == n - 1 ? 0 : i + 1)
#endif

void barrier(int n, int steps, float x[n]) {
    float y[n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] = 0.5f * x[i] + 0.25f * (x[LEFT] + x[RIGHT]);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = y[i];
    }
}
