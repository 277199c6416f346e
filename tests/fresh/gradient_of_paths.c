// A gradient of 5 H + 1 numbers that each path adds up over its days: cleared and added to all paths' by loops over all of it, filled by loops over H.
//
// run: -i paths=4096 -i days=30 -i x=normal:seed=1 -i w=normal:seed=2
// test: -i paths=70 -i days=6 -i x=normal:seed=1 -i w=normal:seed=2
// check: near 1e-3
enum { H = 16, P = 5 * H + 1 };
void gradient_of_paths(int paths, int days, const float x[paths][days], const float w[P], float grad[P],
                       float norm[paths]) {
    for (int k = 0; k < P; k++)
        grad[k] = 0.0f;
#pragma omp parallel for reduction(+ : grad[:P])
    for (int i = 0; i < paths; i++) {
        float g[P], carry = 0.0f, sum = 0.0f;
        for (int k = 0; k < P; k++)
            g[k] = 0.0f;
        for (int t = days - 1; t >= 0; t--) {
            float d = x[i][t] + 0.1f * carry;
            g[5 * H] += d;
            for (int h = 0; h < H; h++) {
                float y = w[h] * d / (1.0f + d * d);
                g[h] += d * y;
                g[H + h] += y * t;
                g[2 * H + h] += y;
                g[3 * H + h] += y * carry;
                g[4 * H + h] += w[P - 1 - h] * y;
                carry += 0.01f * y;
            }
        }
        for (int k = 0; k < P; k++) {
            grad[k] += g[k];
            sum += g[k] * g[k];
        }
        norm[i] = sum;
    }
}
