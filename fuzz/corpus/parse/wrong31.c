float g(int); int g(int); void f(void) { int x = 3; } void f(void) { } float x[0]; int y[-1];
