// A struct of an entry array has fields of 32 bits, or all of one type.
// test: -i n=16
// error: 8:34: fields of a struct
struct pixel {
    unsigned char red;
    signed char green;
};
void f(int n, const struct pixel p[n], float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = p[i].red;
}
