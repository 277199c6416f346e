// How large such a struct is follows from what moves its members.
// test: -i n=4
// error: 11:23: how large a struct with `packed`, `aligned` or `#pragma pack` is, is not known here: leave them out, and pad by members of their own
struct item {
    float x;
    _Alignas(16) int id;
};
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)sizeof(struct item);
}
