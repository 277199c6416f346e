// What a pointer in a struct points to is passed beside it.
// test: -fdouble=pair -i n=4
// error: 8:29: 'items': the fields of a struct that is passed must be float, int, unsigned, 64-bit integers or double under -fdouble=pair: pass others in an array of their own
struct item {
    double value;
    int *next;
};
void use(int n, struct item items[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        items[i].value *= 2;
}
