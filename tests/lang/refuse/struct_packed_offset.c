// Where a member of such a struct is, also in a struct around it.
// test: -i n=4
// error: 16:23: how large a struct with `packed`, `aligned` or `#pragma pack` is, is not known here: leave them out, and pad by members of their own
#include <stddef.h>
struct inner {
    char kind;
    int id;
} __attribute__((packed));
struct item {
    struct inner in;
    float x;
};
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)offsetof(struct item, x);
}
