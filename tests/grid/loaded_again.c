// Elements that an iteration loads several times, between what it writes elsewhere: they are kept, but where their own
// array, or what says which they are, was written meanwhile, and where they may not have been loaded before.
//
// run: -i n=200000 -i steps=4 -i x=normal:seed=1 -i at=uniform:lo=0,hi=200000,seed=2
// test: -i n=97 -i steps=4 -i x=normal:seed=1 -i at=uniform:lo=0,hi=97,seed=2
// check: near 1e-4
// dispatches: 1
// barriers: 2 a step
void loaded_again(int n, int steps, float x[n], int at[n], float a[n], float b[n], float c[n], int count[8]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int k = i % 8;
            a[i] = x[i] * 0.5f;
#pragma omp atomic
            count[k] += 1;
            b[i] = x[i] + x[at[i]]; // both again below
            c[i] = x[at[i]] - x[i];
            if (x[i] > 0) {
                c[i] += x[n - 1 - i]; // not loaded where x[i] is not above 0
                a[i] += a[i] * 0.25f; // its own array is written
            }
            c[i] += x[n - 1 - i] * 0.125f + a[i];
            for (int j = 0; j < 3; j++) {
                k = (k * 5 + j) % 8;
                c[i] += x[(i + k) % n]; // what says the place is written
            }
            b[i] -= x[(i + k) % n];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            x[i] = 0.9f * x[i] + 0.01f * (a[i] + b[n - 1 - i] - c[i]);
            at[i] = (at[i] + 7 + count[i % 8] % 2) % n;
        }
    }
}
