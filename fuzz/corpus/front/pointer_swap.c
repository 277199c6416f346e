// Two buffers whose pointers are swapped between the steps of a time loop.
// test: -i n=40 -i steps=5 -i first=arange
// check: exact
void smooth(int n, int steps, float first[n], float second[n]) {
    float *now = first, *next = second;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int left = i > 0 ? i - 1 : 0, right = i < n - 1 ? i + 1 : n - 1;
            next[i] = 0.25f * now[left] + 0.5f * now[i] + 0.25f * now[right];
        }
        float *old = now;
        now = next;
        next = old;
    }
}
