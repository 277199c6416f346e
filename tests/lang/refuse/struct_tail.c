// A struct that ends in an array without a size: whoever has it knows how long that is, not the program.
// test: -i n=4
// error: 6:11: an array member without a size is not supported
struct list {
    int n;
    float x[];
};
void f(int n, const struct list p[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = p[0].x[i];
}
