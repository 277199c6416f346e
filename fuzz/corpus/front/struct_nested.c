// Structs in structs, arrays in structs, arrays of structs, pointers to them, a member chosen by a running index.
// test: -i n=48
// check: exact
struct point {
    int x, y;
};
struct shape {
    struct point corners[3];
    struct {
        int colour;
        int counts[2];
    } style;
    int id;
};

static int area2(const struct shape *s) {
    const struct point *p = s->corners;
    return (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
}

static void shift(struct point *p, int by) {
    p->x += by;
    p->y -= by;
}

void shapes(int n, int out[n][5]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct shape s = {.corners = {{0, 0}, {i, 1}, {2, i}}, .style = {.colour = 7, .counts = {1, 2}}, .id = i};
        out[i][0] = area2(&s);
        shift(&s.corners[i % 3], 3);
        out[i][1] = area2(&s);
        struct shape copies[2] = {s, s};
        copies[1].style.counts[i % 2] += 10;
        copies[0] = copies[1];
        copies[1].style.counts[0] = -1;
        out[i][2] = copies[0].style.counts[0] * 100 + copies[0].style.counts[1];
        struct point (*all)[3] = &s.corners;
        out[i][3] = (*all)[2].y + s.style.colour + copies[0].id;
        struct point *last = &copies[i % 2].corners[2];
        last->x = 1000;
        out[i][4] = copies[0].corners[2].x + copies[1].corners[2].x;
    }
}
