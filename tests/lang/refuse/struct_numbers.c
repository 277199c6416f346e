// Fields of two types are no row of numbers.
// test: -i n=4
// error: 11:20: a pointer to 'struct item' cannot be seen as a pointer to 'float': a struct can where all its fields are of that type, nothing lies between them, and the caller passes it
struct item {
    float weight;
    int count;
};
void f(int n, struct item x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float *w = (float *)&x[i];
        w[0] += 1;
    }
}
