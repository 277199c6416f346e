// Copies of arrays and structs of which iterations set some elements and read others: those have the values that
// firstprivate(...) gave them.
// test: -i n=40 -i s=5,7,9 -i out=zeros -i z=zeros -i w=zeros -i v=zeros
// check: exact
struct pair {
    float x, y;
    int kind;
};
struct part {
    float at[3];
    struct pair inner;
};

void elements(int n, const float s[3], float out[n], float z[n], float w[n], float v[n]) {
    float start[3], grid[2][3];
    struct pair pair = {1, 2, 4};
    struct part part = {{1, 2, 3}, {4, 5, 6}};
    for (int k = 0; k < 3; k++)
        start[k] = grid[0][k] = grid[1][k] = s[k];
#pragma omp parallel for firstprivate(start)
    for (int i = 0; i < n; i++) {
        start[0] = (float)i;
        out[i] = start[0] * start[1] + start[2];
    }
#pragma omp parallel firstprivate(grid)
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            grid[i % 2][1] = (float)i;
            z[i] = grid[i % 2][1] + grid[1][0] * grid[0][2];
        }
    }
#pragma omp parallel for firstprivate(pair)
    for (int i = 0; i < n; i++) {
        pair.x = (float)i;
        w[i] = pair.x + pair.y * (float)pair.kind;
    }
#pragma omp parallel for firstprivate(part) schedule(static)
    for (int i = 0; i < n; i++) {
        part.at[0] = (float)i;
        w[i] += part.at[0] + part.at[2] * (float)part.inner.kind;
    }
#pragma omp parallel
    {
        struct part own = {{1, 2, 3}, {4, 5, 6}};
#pragma omp for
        for (int i = 0; i < n; i++) {
            own.at[i % 2] = (float)i;
            w[i] += own.at[i % 2] + own.at[2] * own.inner.y;
        }
    }
#pragma omp parallel firstprivate(start, grid)
    {
        start[1] = 20.0f;
#pragma omp for
        for (int i = 0; i < n; i++) {
            start[2] = (float)i;
            v[i] = start[0] + start[1] + start[2];
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 2; k++)
                grid[1][k] = (float)(i + k);
            v[i] += grid[1][1] * grid[1][2] + start[0];
        }
    }
}
