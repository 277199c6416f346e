// What is summed up behind a product, the squared error of each element, is a loop of its own, so that the product has tiles; once with the sum in the
// loop over rows, once behind it, and once of a variable that nobody stores.
//
// run: -i images=512 -i visible=784 -i hidden=512 -i h=uniform:seed=1 -i w=normal:sd=0.01,seed=2 -i data=uniform:seed=3
// test: -i images=24 -i visible=48 -i hidden=32 -i h=uniform:seed=1 -i w=normal:sd=0.01,seed=2 -i data=uniform:seed=3
// check: near 1e-3
#include <math.h>
void errors_of_products(int images, int visible, int hidden, const float h[images][hidden], const float w[visible][hidden],
                        const float data[images][visible], float pv[images][visible], float back[images][hidden], float error[3]) {
    float e = 0.0f, f = 0.0f, g = 0.0f;
#pragma omp parallel for collapse(2) reduction(+ : e)
    for (int s = 0; s < images; s++)
        for (int i = 0; i < visible; i++) {
            float sum = 0.0f;
            for (int j = 0; j < hidden; j++)
                sum += h[s][j] * w[i][j];
            pv[s][i] = 1.0f / (1.0f + expf(-sum));
            e += (data[s][i] - pv[s][i]) * (data[s][i] - pv[s][i]);
        }
#pragma omp parallel for reduction(+ : f)
    for (int s = 0; s < images; s++)
        for (int j = 0; j < hidden; j++) {
            float sum = 0.5f;
            for (int i = 0; i < visible; i++)
                sum += pv[s][i] * w[i][j];
            back[s][j] = sum;
            float away = sum - h[s][j];
            f += away > 0 ? away : -away;
        }
#pragma omp parallel for collapse(2) reduction(max : g)
    for (int s = 0; s < images; s++)
        for (int i = 0; i < visible; i++) {
            float sum = 0.0f, scale = data[s][i] + 1.0f;
            for (int j = 0; j < hidden; j++)
                sum += back[s][j] * w[i][j];
            sum *= scale;
            g = fmaxf(g, fabsf(sum));
        }
    error[0] = e;
    error[1] = f;
    error[2] = g;
}
