// A member of 8 or 16 bits beside doubles can be read, not written.
// test: -fdouble=pair -i n=4
// error: 12:9: 'items.count' is a field of 8 or 16 bits in a struct that is passed
struct item {
    double value;
    short count;
    short kind;
};
void use(int n, struct item items[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        items[i].count = (short)items[i].value;
}
