// Reductions of many short iterations, which lanes of workgroups share out: one that stores on the way, and one whose
// length is a result.
//
// run: -i n=300000 -i steps=5 -i x=uniform:seed=1 -i v=uniform:seed=2
// test: -i n=20000 -i steps=3 -i x=uniform:seed=1 -i v=uniform:seed=2
// check: abs 1e-4
// dispatches: 1
// barriers: 2 a step

void reduction_rows(int n, int steps, float x[n], float v[n], float mean[steps], int count[steps]) {
    int some = n;
    for (int t = 0; t < steps; t++) {
        float sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            x[i] += 0.25f * v[i];
            if (x[i] > 1.0f) v[i] = -v[i];
            sum += x[i];
        }
        int above = 0;
        float limit = sum / n;
#pragma omp parallel for reduction(+ : above)
        for (int i = 0; i < some; i++)
            above += x[i] > limit;
        some = n - above / 2;
        mean[t] = limit;
        count[t] = above > n / 4;
    }
}
