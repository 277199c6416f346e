// poisson_colours.c - the Poisson equation by Gauss-Seidel in two colours with over-relaxation.
//
// Source: D. M. Young, "Iterative methods for solving partial difference equations of elliptic type", 1954. Cells of one colour
// need only those of the other, so all of a colour are done at once.
//
// run: -i n=1024 -i sweeps=500 -i charge=normal:seed=1 -i omega=1.9
// test: -i n=34 -i sweeps=9 -i charge=normal:seed=1 -i omega=1.7
// check: abs 1e-4
// dispatches: 1
// barriers: 1 a colour
void poisson_colours(int n, int sweeps, float omega, const float charge[n][n], float u[n][n]) {
    for (int t = 0; t < sweeps; t++)
        for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2) {
                    float best = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - charge[i][j]);
                    u[i][j] += omega * (best - u[i][j]);
                }
        }
}
