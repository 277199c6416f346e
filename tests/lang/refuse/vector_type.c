// A vector of GNU C is no number.
// test: -i n=4
// error: 4:35: the attribute 'vector_size' makes another type of this one: use an array, or the type that it stands for
typedef float four __attribute__((vector_size(16)));
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        four v;
        x[i] = sizeof v;
    }
}
