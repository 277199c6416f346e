// A chain of masses, as the grid has it here; on a GPU that is not made in software its parallel loops are those of one
// iteration (pass_confine): 100 steps and what is left of them, a loop of two passes, one that only some steps make, and
// values that steps hand on.
// test: -i n=70 -i steps=163 -i x=uniform:lo=-1,hi=1,seed=1
// check: x near 1e-4
// check: v near 1e-4
// check: energy near 1e-4
// check: kicks exact
// dispatches: 1
void small_system(int n, int steps, float x[n], float v[n], float energy[2], int kicks[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] = 0;
    int kicked = 0;
    float last = 0;
    for (int t = 0; t < steps; t++) {
        float sum = 0;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float left = i > 0 ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
            v[i] += 0.05f * (left - 2 * x[i] + right);
        }
#pragma omp parallel for
        for (int i = 0; i < 2; i++)
            v[i * (n - 1)] *= 0.5f;
        if (t % 3 == 1) {
            kicked++;
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                v[i] += 0.001f * (float)(i % 5 - 2);
        }
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            x[i] += 0.05f * v[i];
            sum += v[i] * v[i];
        }
        last = 0.5f * last + sum;
    }
    energy[0] = last;
    float strain = 9;
    int rounds = 0;
    while (strain > 1e-3f && rounds < 400) {
        strain = 0;
#pragma omp parallel for reduction(+ : strain)
        for (int i = 0; i < n; i++) {
            v[i] = x[i] - (i > 0 ? x[i - 1] : 0);
            strain += v[i] * v[i];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = x[i] * 0.9f + (i < n - 1 ? v[i + 1] : 0) * 0.01f;
        rounds++;
    }
    energy[1] = strain;
    kicks[0] = kicked;
}
