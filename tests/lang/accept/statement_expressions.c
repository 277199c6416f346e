// Statement expressions of GNU C: macros that compute their operands once, loops in them, under && and ?:, without a value.
// test: -i n=200 -i a=uniform:seed=1
// check: near 1e-6
#define MAX(x, y) ({ __typeof__(x) x_ = (x); __typeof__(y) y_ = (y); x_ > y_ ? x_ : y_; })

static int twice(int x) { return ({ int y = x; y += x; y; }); }

void windows(int n, const float a[n], int count[n], float best[1]) {
    float most = 0.0f;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++) {
        float sum = __extension__({
            float s = 0.0f;
            for (int k = 0; k < 5; k++) {
                if (k == 3) break;
                s += a[(i + k) % n];
            }
            s;
        });
        count[i] = 0;
        int place = i > 3 && ({ count[i] = twice(i); count[i] > 10; }) ? MAX(i, 20) : (int)MAX(sum, MAX(1.0f, a[i]));
        ({ if (i == 5) place = 77; });
        count[i] += place;
        most = MAX(most, sum);
    }
    best[0] = most;
}
