// A field of 8 or 16 bits of a struct that is passed can be read, not written: its word has other fields in it.
// test: -i n=16
// error: 11:9: is a field of 8 or 16 bits
struct pixel {
    unsigned char red, green;
    short blue;
};
void f(int n, struct pixel p[n], float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i].red = (unsigned char)x[i];
}
