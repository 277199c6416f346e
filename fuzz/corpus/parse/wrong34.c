static const int n = 4; float x[n]; int y[3/0]; enum {A = 1, B, A}; int z = 5 % 0;
void f(int a) { if (a = 3) ; int v[a] = {1}; sizeof(void); foo(3); struct q z; }
