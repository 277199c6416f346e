// A function that is declared, called and nowhere defined.
// test: -i n=16
// error: 8:16: 'smooth'
float smooth(float v);
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = smooth(x[i]);
    }
}
