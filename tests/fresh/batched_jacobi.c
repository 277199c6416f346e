// Many small systems, each with a line of unknowns: Jacobi's method, neighbours within a line.
// run: -i lines=1024 -i cells=512 -i steps=200 -i u=normal:seed=1 -i f=normal:seed=2
// test: -i lines=21 -i cells=70 -i steps=5 -i u=normal:seed=1 -i f=normal:seed=2
// check: abs 1e-4
// dispatches: 1
void batched_jacobi(int lines, int cells, int steps, float u[lines][cells], const float f[lines][cells]) {
    float v[lines][cells];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int b = 0; b < lines; b++)
            for (int i = 0; i < cells; i++) {
                float left = i > 0 ? u[b][i - 1] : 0.0f, right = i < cells - 1 ? u[b][i + 1] : 0.0f;
                v[b][i] = 0.5f * (left + right + 0.01f * f[b][i]);
            }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < lines; b++)
            for (int i = 0; i < cells; i++)
                u[b][i] = 0.3f * u[b][i] + 0.7f * v[b][i];
    }
}
