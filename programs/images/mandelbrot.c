// mandelbrot.c - how long each point of the plane stays near under z * z + c, while the window moves in.
//
// Source: B. Mandelbrot, 1980; escape time.
//
// run: -i height=1024 -i width=1024 -i frames=10 -i most=500
// test: -i height=20 -i width=30 -i frames=2 -i most=60
// check: exact
// dispatches: 1
void mandelbrot(int height, int width, int frames, int most, int steps[height][width]) {
    float scale = 3.0f;
    for (int f = 0; f < frames; f++) {
#pragma omp parallel for collapse(2) schedule(dynamic)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                float a = -0.75f + scale * ((float)x / (float)width - 0.5f), b = 0.1f + scale * ((float)y / (float)height - 0.5f);
                float p = 0.0f, q = 0.0f;
                int n = 0;
                while (n < most && p * p + q * q < 4.0f) {
                    float next = p * p - q * q + a;
                    q = 2.0f * p * q + b;
                    p = next;
                    n++;
                }
                steps[y][x] += n;
            }
        scale *= 0.8f;
    }
}
