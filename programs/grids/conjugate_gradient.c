// conjugate_gradient.c - the potential of a field of charges on a square plate with an earthed edge: Poisson's
// equation, solved by conjugate gradients until the residual is small.
//
// Source: M. Hestenes, E. Stiefel, 1952. The matrix is never stored: A p is 4 p - the four neighbours, 0 outside of the
// plate. The loop ends when the residual is below `tolerance` of the charges' norm, or after `most` passes. x is the
// potential, r what is left of the charges, residual[0] its relative norm, passes[0] the number of passes. Rounding in
// the sums may end the loop a few passes earlier or later.
//
// Three barriers a pass: A p reads neighbours' p, which were just written; its dot product has to be complete before r
// and x move; the new norm before p does. The vectors are otherwise their owners' alone.
//
// run: -i n=512 -i most=4000 -i tolerance=1e-4 -i charge=normal:seed=1
// test: -i n=16 -i most=100 -i tolerance=1e-4 -i charge=normal:seed=1
// check: x abs 5e-3
// check: r abs 1e-4
// check: p abs 5e-4
// check: q abs 5e-4
// check: residual abs 1e-5
// check: passes abs 5
// dispatches: 1
// barriers: 3 a pass
#include <math.h>

void conjugate_gradient(int n, int most, float tolerance, const float charge[n][n], float x[n][n], float r[n][n],
                        float p[n][n], float q[n][n], float residual[1], int passes[1]) {
    float norm = 0.0f;
#pragma omp parallel for collapse(2) reduction(+ : norm)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x[i][j] = 0.0f;
            r[i][j] = charge[i][j];
            p[i][j] = charge[i][j];
            norm += charge[i][j] * charge[i][j];
        }

    float rr = norm, enough = tolerance * tolerance * norm;
    int pass = 0;
    while (rr > enough && pass < most) {
        float pq = 0.0f;
#pragma omp parallel for collapse(2) reduction(+ : pq)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float up = i > 0 ? p[i - 1][j] : 0.0f, down = i < n - 1 ? p[i + 1][j] : 0.0f;
                float left = j > 0 ? p[i][j - 1] : 0.0f, right = j < n - 1 ? p[i][j + 1] : 0.0f;
                q[i][j] = 4.0f * p[i][j] - up - down - left - right;
                pq += p[i][j] * q[i][j];
            }
        float along = rr / pq, before = rr;
        rr = 0.0f;
#pragma omp parallel for collapse(2) reduction(+ : rr)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                x[i][j] += along * p[i][j];
                r[i][j] -= along * q[i][j];
                rr += r[i][j] * r[i][j];
            }
        float turn = rr / before;
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i][j] = r[i][j] + turn * p[i][j];
        pass++;
    }
    residual[0] = sqrtf(rr / norm);
    passes[0] = pass;
}
