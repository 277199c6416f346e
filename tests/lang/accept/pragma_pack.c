// `#pragma pack` that moves no member, or is over before the struct.
// test: -i n=50
// check: exact
#pragma pack(push, 1)
struct head {
    char kind;
    int length;
};
#pragma pack(push)
#pragma pack(pop)
#pragma pack(pop)
struct wide {
    float x;
    long id;
};
#pragma pack(4)
struct item {
    float x;
    int id;
};
#pragma pack()

void fill(int n, struct item items[n], struct wide others[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct head h = {(char)i, i * 2};
        items[i] = (struct item){(float)h.length, h.kind};
        others[i] = (struct wide){0.5f, i * 3L};
    }
}
