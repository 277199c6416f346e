// Structs as values: copied by assignment, passed and returned, compound literals, designators, zero-filled rest.
// test: -i n=48
// check: exact
struct vec {
    float x, y, z;
};

static struct vec add(struct vec a, struct vec b) {
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    return a;
}

static struct vec scale(struct vec a, float by) {
    return (struct vec){a.x * by, a.y * by, .z = a.z * by};
}

void vectors(int n, float out[n][6]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct vec a = {.y = 1.0f, .x = (float)i};
        struct vec b = a;
        b.z = 4.0f;
        struct vec c = add(a, scale(b, 0.5f));
        out[i][0] = c.x;
        out[i][1] = c.y;
        out[i][2] = c.z;
        struct vec d;
        d = c;
        c = (struct vec){0};
        out[i][3] = d.x + c.x;
        out[i][4] = add(d, (struct vec){1.0f, 2.0f, 3.0f}).y;
        out[i][5] = a.z;
    }
}
