// Doubles as pairs of floats: sums, products and extremes over loops of one and two dimensions, of triangles, of regions
// and of sequential loops around them.
// test: -fdouble=pair -i n=70 -i x=uniform:lo=-1,hi=1,seed=1
// check: rel 1e-13
void reductions(int n, const double x[n][n], double out[n + 6]) {
    double sum = 0.5, most = -10, least = 10, product = 1;
#pragma omp parallel for collapse(2) reduction(+ : sum) reduction(max : most)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n - 1; j += 2) {
            sum += x[i][j] * x[j][i];
            most = x[i][j] > most ? x[i][j] : most;
        }
#pragma omp parallel reduction(min : least)
    {
#pragma omp for reduction(* : product)
        for (int i = n - 1; i >= 0; i--) {
            if (x[i][0] < least) least = x[i][0];
            product *= 1 + x[0][i] / 100;
        }
    }
    out[0] = sum;
    out[1] = most;
    out[2] = least;
    out[3] = product;
    double triangle = 0;
#pragma omp parallel for collapse(2) reduction(- : triangle)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            triangle -= x[i][j];
    out[4] = triangle;
    for (int k = 0; k < n; k++) {
        double rest = 0;
#pragma omp parallel for reduction(+ : rest)
        for (int i = k; i < n; i++)
            rest += x[k][i];
        out[6 + k] = rest;
    }
}
