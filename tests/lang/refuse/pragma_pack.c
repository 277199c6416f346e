// A pragma that moves the members of a struct: the GPU would look for them elsewhere than the C compiler.
// test: -i n=4
// error: 14:27: 'items': `packed`, `aligned` and `#pragma pack` put the members of a struct where the GPU does not look for them: leave them out, and pad by members of their own
#pragma pack(push, 4)
#pragma pack(push)
#pragma pack(1)
#pragma pack(pop)
struct item {
    float x;
    long id;
};
#pragma pack(pop)

void f(int n, struct item items[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        items[i].x = (float)items[i].id;
}
