// An alignment that is no single number is not computed: it may be larger than the struct.
// test: -i n=4
// error: 10:23: how large a struct with `packed`, `aligned` or `#pragma pack` is, is not known here: leave them out, and pad by members of their own
typedef struct {
    float x, y, z;
} __attribute__((aligned(4 * 4))) three;
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)sizeof(three);
}
