// flat_room.c - heat in a room: three dimensions in one, neighbours by strides, and copied back.
//
// run: -i d=128 -i h=128 -i w=128 -i steps=50 -i a=normal:seed=1
// test: -i d=8 -i h=9 -i w=10 -i steps=4 -i a=normal:seed=1
// check: near 1e-4
// dispatches: 1
void room(int d, int h, int w, int steps, float a[d * h * w], float b[d * h * w]) {
    int plane = h * w;
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for collapse(3)
        for (int z = 0; z < d; z++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++) {
                    int at = z * plane + y * w + x;
                    float v = a[at] * -6.0f;
                    v += x > 0 ? a[at - 1] : 0.0f;
                    v += x < w - 1 ? a[at + 1] : 0.0f;
                    if (y > 0) v += a[at - w];
                    if (y < h - 1) v += a[at + w];
                    if (z > 0) v += a[at - plane];
                    if (z < d - 1) v += a[at + plane];
                    b[at] = a[at] + 0.1f * v;
                }
#pragma omp parallel for
        for (int t = 0; t < d * h * w; t++)
            a[t] = b[t];
    }
}
