// A convolution with several channels on both sides, along rows of an image, with its edges; repeated.
//
// test: -i h=20 -i w=36 -i in=6 -i out=8 -i rounds=2 -i image=uniform:lo=-1,hi=1,seed=1 -i weight=uniform:lo=-0.2,hi=0.2,seed=2 -i back=uniform:lo=-0.2,hi=0.2,seed=3 -i result=zeros
// check: abs 1e-4
// dispatches: 1
void convolution(int h, int w, int in, int out, int rounds, float image[in][h][w], const float weight[out][in][3][3],
                 const float back[in][out], float result[out][h][w]) {
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for collapse(3)
        for (int o = 0; o < out; o++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++) {
                    float s = 0.0f;
                    for (int c = 0; c < in; c++)
                        for (int ky = 0; ky < 3; ky++)
                            for (int kx = 0; kx < 3; kx++) {
                                int yy = y + ky - 1, xx = x + kx - 1;
                                if (yy >= 0 && yy < h && xx >= 0 && xx < w) s += image[c][yy][xx] * weight[o][c][ky][kx];
                            }
                    result[o][y][x] = s;
                }
#pragma omp parallel for collapse(3)
        for (int c = 0; c < in; c++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++) {
                    float s = 0.0f;
                    for (int o = 0; o < out; o++)
                        s += back[c][o] * result[o][y][x];
                    image[c][y][x] = 0.5f * image[c][y][x] + s;
                }
    }
}
