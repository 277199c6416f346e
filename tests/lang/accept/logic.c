// && || ! evaluate from the left and stop early; any scalar is a condition; _Bool holds 0 or 1.
// test: -i n=48
// check: exact
#include <stdbool.h>

static bool count(int *calls, bool result) {
    *calls += 1;
    return result;
}

void logic(int n, int out[n][6]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int calls = 0;
        int r = count(&calls, i & 1) && count(&calls, i & 2) && count(&calls, i & 4);
        out[i][0] = r * 100 + calls;
        calls = 0;
        r = count(&calls, i & 1) || (count(&calls, i & 2) && !count(&calls, i & 4));
        out[i][1] = r * 100 + calls;
        float x = (float)(i % 4) * 0.25f;
        bool b = x;
        _Bool c = i & 6;
        b |= c;
        out[i][2] = b + !x + !!i + (bool)(i - 10);
        out[i][3] = (x && i) + (b ? 10 : 20);
        int j = 0;
        if (i > 20 && ++j && i > 30 && ++j)
            j += 10;
        out[i][4] = j;
        bool odd = i % 2, three = i % 3 == 0;
        out[i][5] = (odd ^ three) + 2 * (odd & three) + 4 * (odd == three);
    }
}
