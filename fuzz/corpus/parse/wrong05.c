void f(const float *x) { const int k = 3; k = 4; x[0] = 2; int a[3]; a = 0; 3 = 4; }
