// Doubles as pairs of floats: conjugate gradients on a five-point grid, until the residual is 1e-20 of what it was.
// test: -fdouble=pair -i n=12 -i steps=60 -i b=uniform:lo=0,hi=1,seed=1
// check: rel 1e-12
void solve(int n, int steps, const double b[n][n], double x[n][n], double residual[1]) {
    double r[n][n], p[n + 2][n + 2], q[n][n], norm = 0, first;
#pragma omp parallel for
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < n + 2; j++)
            p[i][j] = 0;
#pragma omp parallel for collapse(2) reduction(+ : norm)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x[i][j] = 0;
            r[i][j] = p[i + 1][j + 1] = b[i][j];
            norm += b[i][j] * b[i][j];
        }
    first = norm;
    for (int step = 0; step < steps && norm > 1e-20 * first; step++) {
        double along = 0, next = 0;
#pragma omp parallel for collapse(2) reduction(+ : along)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                q[i][j] = 4 * p[i + 1][j + 1] - p[i][j + 1] - p[i + 2][j + 1] - p[i + 1][j] - p[i + 1][j + 2];
                along += p[i + 1][j + 1] * q[i][j];
            }
        double alpha = norm / along;
#pragma omp parallel for collapse(2) reduction(+ : next)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                x[i][j] += alpha * p[i + 1][j + 1];
                r[i][j] -= alpha * q[i][j];
                next += r[i][j] * r[i][j];
            }
        double beta = next / norm;
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i + 1][j + 1] = r[i][j] + beta * p[i + 1][j + 1];
        norm = next;
    }
    residual[0] = norm <= 1e-20 * first;
}
