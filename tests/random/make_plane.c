// Two forms that barriers stand in and that passes know: stencils on a plane, whose rows and columns need not fit any
// tile, and steps that gather from all elements of an array and then overwrite them. Each has numbers of its own, so
// that programs without them stay as they were.
#include "make.h"

struct draws {
    uint64_t state;
};
static int draw(struct draws *d, int lo, int hi) {
    d->state = gen_mix(d->state + 1);
    return lo + (int)(d->state % (uint64_t)(hi - lo + 1));
}

static char *neighbour(struct maker *g, struct draws *d, const char *from) {
    int c = draw(d, -2, 2), e = draw(d, -2, 2), k = draw(d, -5, 5);
    return gen_format(g->p, " + %s[i %c %d][j %c %d] * %d", from, c < 0 ? '-' : '+', c < 0 ? -c : c, e < 0 ? '-' : '+',
                      e < 0 ? -e : e, k);
}

// to = a function of the neighbours in from
static void make_sweep(struct maker *g, struct gen_node *parent, struct draws *d, const char *from, const char *to,
                       int rows, int columns) {
    struct gen_program *p = g->p;
    int top = draw(d, 2, 3), left = draw(d, 2, 5);
    int bottom = rows - draw(d, 2, 4), right = columns - draw(d, 2, 9);
    struct gen_node *loop = gen_block(
        p, parent,
        gen_format(
            p, "#pragma omp parallel for collapse(2)\nfor (int i = %d; i < %d; i++)\nfor (int j = %d; j < %d; j++) {",
            top, bottom, left, right),
        "}");
    loop->fixed = true;
    char *sum = gen_format(p, "int sum = %s[i][j]", from);
    for (int k = draw(d, 2, 7); k > 0; k--)
        sum = gen_format(p, "%s%s", sum, neighbour(g, d, from));
    gen_line(p, loop, gen_format(p, "%s;", sum))->fixed = true;
    if (draw(d, 0, 2) == 0)
        gen_line(p, loop, gen_format(p, "if (%s[i][j] %% 3 == 0) sum +=%s;", from, neighbour(g, d, from) + 2));
    gen_line(p, loop,
             gen_format(p, "%s[i][j] = sum %% 97%s;", to, draw(d, 0, 1) ? gen_format(p, " + %s[i][j] %% 5", to) : ""))
        ->fixed = true;
}

static void make_stencil(struct maker *g, struct gen_node *entry, struct draws *d, const struct array *to) {
    static const int widths[] = {64, 70, 130, 257, 300};
    struct gen_program *p = g->p;
    const char *a = fresh(g, "plane"), *b = fresh(g, "plane");
    int rows = draw(d, 9, 30), columns = widths[draw(d, 0, 4)], p1 = draw(d, 1, 99), p2 = draw(d, 1, 99);
    struct gen_node *group = gen_block(p, entry, "{", "}");
    gen_line(p, group, gen_format(p, "int %s[%d][%d], %s[%d][%d];", a, rows, columns, b, rows, columns))->fixed = true;
    struct gen_node *fill = gen_block(
        p, group,
        gen_format(p,
                   "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < %d; i++)\nfor (int j = 0; j < %d; j++) {",
                   rows, columns),
        "}");
    fill->fixed = true;
    gen_line(p, fill, gen_format(p, "%s[i][j] = %s[i][j] = (i * %d + j * %d) %% 61 - 30;", a, b, p1, p2))->fixed = true;
    struct gen_node *loop = gen_block(p, group, gen_format(p, "for (int t = 0; t < %d; t++) {", draw(d, 1, 4)), "}");
    make_sweep(g, loop, d, a, b, rows, columns);
    if (draw(d, 0, 3)) make_sweep(g, loop, d, b, a, rows, columns);
    gen_line(
        p, group,
        gen_format(
            p, "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n%s[i] = fiti(%s[i] + %s[i %% %d][i * 7 %% %d]);",
            to->name, to->name, a, rows, columns))
        ->fixed = true;
}

static void make_double_buffer(struct maker *g, struct gen_node *entry, struct draws *d, const struct array *to) {
    struct gen_program *p = g->p;
    const char *gathered = fresh(g, "all");
    int rows = draw(d, 0, 1) ? 2 : 0; // elements of two words
    struct gen_node *group = gen_block(p, entry, "{", "}");
    gen_line(p, group, gen_format(p, "int %s[n];", gathered))->fixed = true;
    if (rows) {
        gen_line(p, group, "int place[n][2];")->fixed = true;
        gen_line(p, group,
                 gen_format(p,
                            "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\nfor (int k = 0; k < 2; k++)\n"
                            "place[i][k] = %s[i] + k;",
                            to->name))
            ->fixed = true;
    }
    const char *element = rows ? "place[j][0] - place[(i + j) % n][1]" : gen_format(p, "%s[j] * (j %% 3)", to->name);
    struct gen_node *loop = gen_block(p, group, gen_format(p, "for (int t = 0; t < %d; t++) {", draw(d, 1, 5)), "}");
    gen_line(
        p, loop,
        gen_format(
            p,
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\nint sum = 0;\n%sfor (int j = 0; j < n; j++)\n"
            "sum += %s;\n%s[i] = sum %% 89;\n}",
            draw(d, 0, 1) ? "#pragma omp simd reduction(+ : sum)\n" : "", element, gathered))
        ->fixed = true;
    gen_line(
        p, loop,
        rows ? gen_format(p,
                          "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\nfor (int k = 0; k < 2; k++)\n"
                          "place[i][k] = fiti(place[i][k] + %s[i] * (k + 1) + t);",
                          gathered)
             : gen_format(p, "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n%s[i] = fiti(%s[i] + %s[i] + t);",
                          to->name, to->name, gathered))
        ->fixed = true;
    if (rows)
        gen_line(p, group,
                 gen_format(p, "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n%s[i] = fiti(place[i][1]);",
                            to->name))
            ->fixed = true;
}

void make_plane(struct maker *g, struct gen_node *entry) {
    struct draws d = {gen_mix(g->p->seed * 3 + 2)};
    int form = draw(&d, 0, 9);
    for (int k = 0; form < 4 && k < g->array_count; k++) {
        const struct array *to = &g->arrays[k];
        if (to->hidden || to->is_const || to->type >= 0 || to->ndims != 1 || to->dims[0] != g->n || to->elem != GEN_I32)
            continue;
        if (form < 2) make_stencil(g, entry, &d, to);
        if (form >= 2) make_double_buffer(g, entry, &d, to);
        return;
    }
}
