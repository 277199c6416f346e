// Drawing. Each column of dots shows the range that its values span, so that a narrow picture still shows every jump.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "terminal.h"

static const enum cli_style colours[] = {CLI_GREEN, CLI_BLUE, CLI_RED, CLI_YELLOW, CLI_MAGENTA, CLI_BOLD};
static const char letters[] = "*o+x#@";

struct canvas {
    int columns, rows;         // of characters
    int dots_x, dots_y;        // dots of a character
    unsigned char *dots, *who; // a character: its set dots; the curve drawn last, from 1
};

static void set_dot(struct canvas *c, int x, int y, int curve) {
    // Braille numbers its dots down the left column, then the right one, with the bottom row as an afterthought.
    static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= c->columns * c->dots_x || y >= c->rows * c->dots_y) return;
    size_t at = (size_t)(y / c->dots_y) * (size_t)c->columns + (size_t)(x / c->dots_x);
    if (c->who[at] != curve + 1) c->dots[at] = 0; // one colour a character
    c->dots[at] |= bits[y % c->dots_y][x % c->dots_x];
    c->who[at] = (unsigned char)(curve + 1);
}

static void draw_curve(struct canvas *c, const struct plot_curve *curve, int index, double low, double high) {
    int wide = c->columns * c->dots_x, tall = c->rows * c->dots_y;
    double before = NAN;
    for (int x = 0; x < wide; x++) {
        size_t from = curve->count * (size_t)x / (size_t)wide, to = curve->count * (size_t)(x + 1) / (size_t)wide;
        double least = INFINITY, most = -INFINITY, last = NAN;
        for (size_t i = from; i < to || i == from; i++) {
            double value = (double)curve->values[i];
            if (!isfinite(value)) continue;
            least = fmin(least, value);
            most = fmax(most, value);
            last = value;
        }
        if (least > most) {
            before = NAN;
            continue;
        }
        if (isfinite(before)) { // join with the column before
            least = fmin(least, before);
            most = fmax(most, before);
        }
        before = last;
        int top = (int)((high - most) / (high - low) * (tall - 1) + 0.5),
            bottom = (int)((high - least) / (high - low) * (tall - 1) + 0.5);
        for (int y = top; y <= bottom; y++)
            set_dot(c, x, y, index);
    }
}

static void put_cell(FILE *out, const struct canvas *c, size_t at, bool utf8) {
    if (!c->who[at]) {
        fputc(' ', out);
        return;
    }
    int curve = c->who[at] - 1;
    fputs(cli_style(out, colours[curve]), out);
    if (utf8) {
        unsigned code = 0x2800u + c->dots[at];
        fprintf(out, "%c%c%c", (int)(0xE0 | code >> 12), (int)(0x80 | (code >> 6 & 0x3F)), (int)(0x80 | (code & 0x3F)));
    } else {
        fputc(letters[curve], out);
    }
    fputs(cli_style(out, CLI_PLAIN), out);
}

static void put_legend(FILE *out, const struct plot_curve *curves, size_t count, int indent, int width, bool utf8,
                       int digits) {
    int column = indent;
    fprintf(out, "%*s", indent, "");
    for (size_t i = 0; i < count; i++) {
        char text[96];
        const struct plot_curve *c = &curves[i];
        int size = snprintf(text, sizeof text, "%.60s, ends at %.*g", c->label, digits + 1,
                            c->count ? (double)c->values[c->count - 1] : NAN);
        if (i && column + size + 6 > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (i) {
            fputs("   ", out);
            column += 3;
        }
        fprintf(out, "%s%s%s %s", cli_style(out, colours[i]), utf8 ? "━━" : (const char[]){letters[i], letters[i], 0},
                cli_style(out, CLI_PLAIN), text);
        column += size + 3;
    }
    fputc('\n', out);
}

enum { LABEL = 32, EVERY = 5 }; // rows from label to label

static bool has_label(const struct canvas *c, int row) { return row % EVERY == 0 || row == c->rows - 1; }

// The values of the rows, to so many digits that no two labels are the same, where floats have as many.
static int make_labels(const struct canvas *c, double low, double high, char (*out)[LABEL], int *out_digits) {
    int widest = 0;
    for (int digits = 3; digits <= 9; digits++) {
        const char *before = NULL;
        bool differ = true;
        widest = 8;
        *out_digits = digits;
        for (int y = 0; y < c->rows; y++) {
            if (!has_label(c, y)) continue;
            double value = high - (high - low) * (c->rows > 1 ? (double)y / (c->rows - 1) : 0);
            int size = snprintf(out[y], LABEL, "%.*g", digits, value);
            widest = size > widest ? size : widest;
            differ = differ && (!before || strcmp(before, out[y]) != 0);
            before = out[y];
        }
        if (differ) break;
    }
    return widest;
}

void plot_draw(FILE *out, const struct plot_curve *curves, size_t curve_count, int width, int height, bool utf8) {
    double low = INFINITY, high = -INFINITY;
    size_t longest = 0;
    for (size_t k = 0; k < curve_count; k++)
        for (size_t i = 0; i < curves[k].count; i++) {
            longest = curves[k].count > longest ? curves[k].count : longest;
            if (isfinite(curves[k].values[i])) {
                low = fmin(low, (double)curves[k].values[i]);
                high = fmax(high, (double)curves[k].values[i]);
            }
        }
    if (low > high) {
        fprintf(out, "(no numbers to draw)\n");
        return;
    }
    if (low == high) {
        high += low == 0 ? 1 : fabs(low) * 0.5;
        low -= low == 0 ? 1 : fabs(low) * 0.5;
    }
    struct canvas c = {.rows = height, .dots_x = utf8 ? 2 : 1, .dots_y = utf8 ? 4 : 1};
    char(*labels)[LABEL] = calloc((size_t)c.rows, sizeof *labels);
    if (!labels) return;
    int digits, axis = make_labels(&c, low, high, labels, &digits) + 2;
    c.columns = width - axis > 8 ? width - axis : 8;
    c.dots = calloc((size_t)c.columns * (size_t)c.rows, 2);
    if (!c.dots) {
        free(labels);
        return;
    }
    c.who = c.dots + (size_t)c.columns * (size_t)c.rows;
    for (size_t k = curve_count; k-- > 0;) // the first one lies on top
        if (curves[k].count) draw_curve(&c, &curves[k], (int)k, low, high);
    for (int y = 0; y < c.rows; y++) {
        if (has_label(&c, y))
            fprintf(out, "%*s %s", axis - 2, labels[y], utf8 ? "┤" : "|");
        else
            fprintf(out, "%*s %s", axis - 2, "", utf8 ? "│" : "|");
        int last = c.columns;
        while (last > 0 && !c.who[(size_t)y * (size_t)c.columns + (size_t)last - 1])
            last--;
        for (int x = 0; x < last; x++)
            put_cell(out, &c, (size_t)y * (size_t)c.columns + (size_t)x, utf8);
        fputc('\n', out);
    }
    fprintf(out, "%*s%s", axis - 1, "", utf8 ? "└" : "+");
    for (int x = 0; x < c.columns; x++)
        fputs(utf8 ? "─" : "-", out);
    fprintf(out, "\n%*s0%*zu\n", axis, "", c.columns - 1, longest ? longest - 1 : 0);
    free(c.dots);
    free(labels);
    put_legend(out, curves, curve_count, axis, width, utf8, digits);
}

// ---- which rows ----

struct keyed {
    float key;
    size_t row;
};

// Ascending; NaN first; equal ones by row, so that the choice does not depend on the sort.
static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    bool x_nan = isnan(x->key), y_nan = isnan(y->key);
    if (x_nan != y_nan) return x_nan ? -1 : 1;
    if (!x_nan && x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

enum whorl_status plot_rows(const char *list, const float *keys, size_t count, size_t out_rows[PLOT_MOST_ROWS],
                            size_t *out_count, struct whorl_error *err) {
    struct keyed *sorted = calloc(count + 1, sizeof *sorted);
    enum whorl_status status = WHORL_OK;
    *out_count = 0;
    if (!sorted || count == 0) {
        free(sorted);
        return base_set_error(err, sorted ? WHORL_INVALID : WHORL_MEMORY, "data",
                              sorted ? "the array has no rows" : "out of memory");
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct keyed){keys[i], i};
    qsort(sorted, count, sizeof *sorted, by_key);
    while (*list && status == WHORL_OK) {
        size_t size = strcspn(list, ",");
        char *end;
        unsigned long long n = strtoull(list, &end, 10);
        size_t *row = &out_rows[*out_count];
        if (*out_count == PLOT_MOST_ROWS)
            status = base_set_error(err, WHORL_INVALID, "call", "--rows: at most %d rows", PLOT_MOST_ROWS);
        else if (size == 4 && strncmp(list, "best", size) == 0)
            *row = sorted[count - 1].row;
        else if (size == 6 && strncmp(list, "median", size) == 0)
            *row = sorted[count / 2].row;
        else if (size == 5 && strncmp(list, "worst", size) == 0)
            *row = sorted[0].row;
        else if (size && end == list + size && n < count && *list != '-')
            *row = (size_t)n;
        else
            status = base_set_error(
                err, WHORL_INVALID, size && list[strspn(list, "0123456789")] == list[size] ? "data" : "call",
                "--rows: `%.*s` is not best, median, worst or a row from 0 to %zu", (int)size, list, count - 1);
        ++*out_count;
        list += size + (list[size] == ',');
    }
    free(sorted);
    return status;
}
