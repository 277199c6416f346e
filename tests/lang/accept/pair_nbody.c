// Doubles as pairs of floats: bodies that attract each other, and a grid that diffuses beside them, in one time loop.
// test: -fdouble=pair -i n=24 -i m=40 -i steps=10 -i bodies=uniform:lo=-1,hi=1,seed=1 -i u=uniform:lo=0,hi=1,seed=2
// check: rel 1e-11
#include <math.h>

struct body {
    double x, y, vx, vy, mass;
};

void nbody(int n, int m, int steps, struct body bodies[n], double u[m][m], double v[m][m]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double ax = 0, ay = 0;
            for (int j = 0; j < n; j++) {
                double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
                double d2 = dx * dx + dy * dy + 0.01, inv = fabs(bodies[j].mass) / (d2 * sqrt(d2));
                ax += dx * inv;
                ay += dy * inv;
            }
            bodies[i].vx += 0.001 * ax;
            bodies[i].vy += 0.001 * ay;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            bodies[i].x += 0.001 * bodies[i].vx;
            bodies[i].y += 0.001 * bodies[i].vy;
        }
#pragma omp parallel for collapse(2)
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + 0.2 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
#pragma omp parallel for collapse(2)
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    }
}
