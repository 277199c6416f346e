// Iterations that are few, each with arrays of its own that loops fill and read: lanes share the loops. Of the last
// loop's array they share nothing.
//
// run: -i frames=256 -i x=normal:seed=1 -i t=normal:sd=0.05,seed=2
// test: -i frames=5 -i x=normal:seed=1 -i t=normal:sd=0.05,seed=2
// check: near 1e-4
// dispatches: 1
#include <math.h>
enum { N = 96 };
void local_shared(int frames, const float x[frames][N], const float t[N][N], float power[frames][N], float last[frames]) {
#pragma omp parallel for
    for (int f = 0; f < frames; f++) {
        float now[N], next[N];
        for (int s = 0; s < N; s++)
            now[s] = x[f][s] * x[f][s];
        for (int step = 0; step < 20; step++) {
            for (int s = 0; s < N; s++) {
                float sum = 0;
                for (int r = 0; r < N; r++)
                    sum += now[r] * t[r][s];
                next[s] = sum / (1 + fabsf(sum));
            }
            for (int s = 0; s < N; s++)
                now[s] = next[N - 1 - s];
        }
        for (int s = 0; s < N; s++)
            power[f][s] = now[s];
    }
#pragma omp parallel for
    for (int f = 0; f < frames; f++) {
        float list[N];
        list[0] = power[f][0];
        for (int s = 1; s < N; s++) {
            int k = s;
            while (k > 0 && list[k - 1] > power[f][s]) {
                list[k] = list[k - 1];
                k--;
            }
            list[k] = power[f][s];
        }
        last[f] = list[N / 2];
    }
}
