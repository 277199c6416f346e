// A cavity with a moving lid, as courses write it: each step copies the velocities before it overwrites them, and
// gives the walls their values. Nothing is copied on the device.
//
// run: -i n=1024 -i steps=200
// test: -i n=30 -i steps=7
// check: near 1e-4
void cavity(int n, int steps, float u[n][n], float v[n][n], float un[n][n], float fastest[1]) {
    const float dt = 0.001f, h = 2.0f / (n - 1), nu = 0.1f * h * h / 0.004f;
    float vn[n][n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                un[i][j] = u[i][j];
                vn[i][j] = v[i][j];
            }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                float x = un[i][j] * dt / h, y = vn[i][j] * dt / h;
                u[i][j] = un[i][j] - x * (un[i][j] - un[i][j - 1]) - y * (un[i][j] - un[i - 1][j]) +
                          nu * dt / (h * h) * (un[i][j + 1] + un[i][j - 1] + un[i + 1][j] + un[i - 1][j] - 4 * un[i][j]);
                v[i][j] += nu * dt / (h * h) * (vn[i][j + 1] + vn[i][j - 1] + vn[i + 1][j] + vn[i - 1][j] - 4 * vn[i][j]) -
                           x * (vn[i][j] - vn[i][j - 1]) - y * (vn[i][j] - vn[i - 1][j]);
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            u[i][0] = 0.0f;
            u[i][n - 1] = 0.5f * u[i][n - 2];
            v[i][0] = v[i][1];
        }
#pragma omp parallel for
        for (int j = 0; j < n; j++) {
            u[0][j] = 0.0f;
            u[n - 1][j] = 1.0f;
        }
    }
    float most = 0.0f;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            most = u[i][j] > most && j < n - 1 && i < n - 1 ? u[i][j] : most;
    fastest[0] = most;
}
