// flat_convolution.c - a layer of a convolution on images in one dimension, one number for each output.
//
// run: -i n=16 -i c=16 -i o=32 -i h=64 -i w=64 -i x=normal:seed=1 -i k=normal:seed=2 -i bias=normal:seed=3
// test: -i n=2 -i c=3 -i o=4 -i h=20 -i w=24 -i x=normal:seed=1 -i k=normal:seed=2 -i bias=normal:seed=3
// check: near 1e-4
// dispatches: 1
void convolution(int n, int c, int o, int h, int w, const float x[n * c * h * w], const float k[o * c * 9],
                 const float bias[o], float y[n * o * h * w]) {
#pragma omp parallel for
    for (int t = 0; t < n * o * h * w; t++) {
        int px = t % w, py = t / w % h, f = t / (w * h) % o, b = t / (w * h * o);
        float s = bias[f];
        for (int q = 0; q < c; q++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int yy = py + dy, xx = px + dx;
                    if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                        s += x[((b * c + q) * h + yy) * w + xx] * k[((f * c + q) * 3 + dy + 1) * 3 + dx + 1];
                }
        y[t] = s > 0 ? s : 0;
    }
}
