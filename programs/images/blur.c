// blur.c - an image is blurred again and again by a 5 x 5 filter.
//
// Source: convolution with a window of weights that sum to 1; at the border the nearest pixel stands for those outside.
//
// run: -i height=1080 -i width=1920 -i rounds=20 -i image=uniform:seed=1 -i weight=const:0.04
// test: -i height=20 -i width=33 -i rounds=4 -i image=uniform:seed=1 -i weight=const:0.04
// check: abs 1e-5
// dispatches: 1
// barriers: 1 a round
static int inside(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

void blur(int height, int width, int rounds, float image[height][width], const float weight[5][5]) {
    float out[height][width];
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                float sum = 0.0f;
                for (int dy = -2; dy <= 2; dy++)
                    for (int dx = -2; dx <= 2; dx++)
                        sum += weight[dy + 2][dx + 2] * image[inside(y + dy, height)][inside(x + dx, width)];
                out[y][x] = sum;
            }
#pragma omp parallel for
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                image[y][x] = out[y][x];
    }
}
