// collapse over triangles whose size is known only when the program runs: the box around them is no larger than that.
// test: -i n=13 -i m=9 -i x=arange --uniform n --uniform m
// check: exact
void triangle_uniform(int n, unsigned m, const int x[40], int out[6]) {
    int below = 0, above = 0, twice = 0, half = 0, three = 0, down = 0;
#pragma omp parallel for collapse(2) reduction(+ : below)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            below += x[j] + 1;
#pragma omp parallel for collapse(2) reduction(+ : above)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j <= n; j++)
            above += j;
#pragma omp parallel for collapse(2) reduction(+ : twice)
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = i; j < 2 * i + 3; j++)
            twice += (int)(i * j);
#pragma omp parallel for collapse(2) reduction(+ : half)
    for (int i = 1; i < n; i += 3)
        for (int j = i; j < n - i; j++)
            half += i - j;
#pragma omp parallel for collapse(3) reduction(+ : three)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = j; k < 2 * j + 4; k++)
                three += k;
#pragma omp parallel for collapse(2) reduction(+ : down)
    for (int i = n; i > 0; i--)
        for (int j = 0; j < i - 5; j++)
            down += i * j;
    out[0] = below;
    out[1] = above;
    out[2] = twice;
    out[3] = half;
    out[4] = three;
    out[5] = down;
}
