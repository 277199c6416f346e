// best_orders.c - searches in sequential code that settle who of equal ones is kept by two keys, or that compare floats:
// zeros of both signs and what is no number among them, with more that goes along, of some elements alone, downwards,
// and where what was there before the loop is as good, or no number.
//
// test: -i n=300 -i v=uniform:lo=0,hi=6,seed=1 -i name=uniform:lo=0,hi=9,seed=2 -i on=uniform:lo=0,hi=2,seed=3
// check: exact
#include <math.h>

void best_orders(int n, const int v[n], const int name[n], const int on[n], float kept[16][4], float y[n]) {
    float x[n];
    for (int i = 0; i < n; i++)
        x[i] = i % 17 == 3 ? NAN : i % 5 == 0 && v[i] == 2 ? -0.0f : (float)(v[i] - 2);
    for (int r = 0; r < 8; r++) {
        float best = r == 5 ? NAN : r == 6 ? -2.0f : INFINITY;
        int who = r == 6 ? -1 : 1000, where = -1;
        for (int i = 0; i < n; i++)
            if (on[i] == r % 2 && (x[i] < best || (x[i] == best && (name[i] > who || (name[i] == who && i < where))))) {
                best = x[i];
                who = name[i];
                where = i;
            }
        kept[r][0] = isnan(best) ? 77 : best;
        kept[r][1] = (float)who;
        kept[r][2] = (float)where;
        float most = r < 4 ? -0.0f : -INFINITY, by = 5, other = 0; // `by` may be no number, and then stays
        for (int i = n - 1; i >= 0; i--)
            if (v[i] != r && ((x[i] + r == most && x[n - 1 - i] < by) || x[i] + r > most)) {
                by = x[n - 1 - i];
                most = x[i] + r;
                other = (float)(i * 3 + name[i]);
            }
        kept[r][3] = most * 1000 + other + (isnan(by) ? 0.5f : 1 / by < 0 ? 0.25f : 0);
    }
    for (int r = 8; r < 16; r++) {
        float least = INFINITY;
        int a = n, b = n;
#pragma omp parallel num_threads(70)
        {
            float my_least = INFINITY;
            int my_a = n, my_b = n;
#pragma omp for nowait
            for (int i = 0; i < n; i++)
                for (int j = i + 1; j < n && j < i + 9; j++)
                    if (x[i] * x[j] + v[(i * j + r) % n] < my_least) {
                        my_least = x[i] * x[j] + v[(i * j + r) % n];
                        my_a = j;
                        my_b = i;
                    }
#pragma omp critical
            if (my_least < least || (my_least == least && (my_a < a || (my_a == a && my_b < b)))) {
                least = my_least;
                a = my_a;
                b = my_b;
            }
        }
        kept[r][0] = least;
        kept[r][1] = (float)a;
        kept[r][2] = (float)b;
        kept[r][3] = 1 / least;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = kept[i % 16][i / 16 % 4];
}
