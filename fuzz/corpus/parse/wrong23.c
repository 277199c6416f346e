void f(float *x, int n) { int k = x[0] * 0.5; if (n > x[0] * 0.1) k++; k *= 0.5; x[0] = 1e-300 * x[1]; }
