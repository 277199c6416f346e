// running_sums.c - sums of all elements before one, whole and not, between parallel loops.
// run: -i n=300 -i steps=20 -i x=uniform:lo=0,hi=100,seed=1 -i v=normal:seed=2 -i below=zeros -i sums=zeros
// test: -i n=300 -i steps=3 -i x=uniform:lo=0,hi=100,seed=1 -i v=normal:seed=2 -i below=zeros -i sums=zeros
// check: exact
// check: v abs 1e-4
// check: sums abs 1e-4
// dispatches: 1
void running_sums(int n, int steps, int x[n], float v[n], int below[n], float sums[n]) {
    for (int t = 0; t < steps; t++) {
        below[0] = x[0];
        for (int i = 1; i < n; i++)
            below[i] = below[i - 1] + x[i];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (below[n - 1 - i] + x[i]) % 101;
        float sum = 0.5f;
        for (int i = 0; i < n; i++) {
            sum = sum * 0.5f + v[i];
            sums[i] = sum;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            v[i] = v[i] * 0.5f + sums[n - 1 - i] * 0.25f;
    }
}
