struct s { float a; };
void f(float *x) { struct s v; x[0] = v; v = x[0]; v.b = 1; x->a = 2; }
