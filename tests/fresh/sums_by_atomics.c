// sums_by_atomics.c - atomic additions to places that no iteration has to itself: one sum, one for each column, and
// some that the program takes apart by the step (pass_recognise). Beside them what is none: a place that data name, and
// one whose old value somebody takes.
//
// run: -i n=200000 -i steps=3 -i x=normal:seed=1
// test: -i n=301 -i steps=3 -i x=normal:seed=1
// check: near 1e-2
// dispatches: 1
void sums_by_atomics(int n, int steps, const float x[n][6], float total[1], float column[6], float by_step[steps],
                     float bucket[4], float last[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 6; k++) {
#pragma omp atomic
                column[k] += x[i][k] * x[i][0];
            }
#pragma omp atomic
            total[0] += x[i][1];
            if (x[i][2] > 0) {
#pragma omp atomic
                by_step[t] += x[i][2];
            }
#pragma omp atomic
            bucket[(int)(x[i][3] * x[i][3]) & 3] += 1.0f;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        last[i] = total[0] * 1e-3f + (float)(i % 7);
}
