// The comma operator, ?: with side effects in either arm, nested ?:, ?: of structs and of mixed types.
// test: -i n=48
// check: exact
struct pair {
    int a, b;
};

void choose(int n, int out[n][5]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int x = 1, y = 10;
        int r = i % 2 ? x++ : (y += 5, y * 2);
        out[i][0] = r * 10000 + x * 100 + y;
        out[i][1] = i < 10 ? 1 : i < 20 ? 2 : i < 30 ? 3 : 4;
        struct pair p = {i, 1}, q = {-i, 2};
        struct pair s = i % 3 ? p : q;
        out[i][2] = s.a * s.b;
        int k = (x = i, y = x + 1, x * y);
        out[i][3] = k;
        out[i][4] = (int)((i & 1 ? i : 0.5f) * 4.0f);
    }
}
