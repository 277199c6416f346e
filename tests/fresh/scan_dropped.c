// Running values that passes multiply, and now and then set anew: nothing is left then of what they were, were that no
// number; a factor that is 0 leaves it what it was.
//
// run: -i n=100000 -i x=uniform:lo=-4,hi=5,seed=1
// test: -i n=30000 -i x=uniform:lo=-4,hi=5,seed=1
// check: near 1e-4
#include <math.h>

void scan_dropped(int n, const int x[n], float y[n], float z[n], float both[2][n], float r[4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = z[i] = 0;
    float s = sqrtf((float)x[0] - 9.0f), t = 0, a = 1, b = 2;
    for (int i = 0; i < n; i++) {
        float in = i % 900 == 100 ? INFINITY : i % 3000 == 5 ? sqrtf((float)x[i] - 8.0f) : (float)x[i];
        s = i % 700 == 699 ? in : 0.5f * s + in;
        y[i] = s;
        if (i % 1000 == 500)
            t = 3;
        else
            t = (float)(x[i] & 1) * t + in;
        z[i] = t;
        float next = 0.25f * a + 0.5f * b + in;
        b = a;
        a = next;
        if (i % 800 == 600) a = (float)x[i];
        if (i % 800 == 650) b = a = 1;
        both[0][i] = a;
        both[1][i] = b;
    }
    r[0] = s;
    r[1] = t;
    r[2] = a;
    r[3] = b;
}
