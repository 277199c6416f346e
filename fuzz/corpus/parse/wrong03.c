static float g(float a, float b) { return a + b; }
void f(float *x) { x[0] = g(1.0f); x[1] = g(1.0f, 2.0f, 3.0f); }
