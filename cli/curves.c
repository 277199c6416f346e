// `whorl plot` and `whorl pick`: looking at a .npy file without leaving the terminal.
#include <string.h>

#include "base/dtype.h"
#include "commands.h"
#include "npy.h"
#include "outputs.h"
#include "plot.h"
#include "verdict.h"

// The file as rows of floats. A file of one dimension is one row to plot, and one value a row to pick from.
struct table {
    struct npy npy;
    void *data;
    float *values;
    size_t rows, columns;
};

static enum whorl_status read_table(const char *path, bool one_is_row, struct table *t, struct whorl_error *err) {
    *t = (struct table){0};
    enum whorl_status status = npy_read(path, &t->npy, &t->data, err);
    if (status != WHORL_OK) return status;
    size_t count = t->npy.size_bytes / whorl_dtype_size(t->npy.dtype);
    if (count == 0) return base_set_error(err, WHORL_INVALID, "data", "%s: it has no elements", path);
    if (t->npy.ndims < 1 || t->npy.ndims > 2)
        return base_set_error(err, WHORL_INVALID, "data", "%s: one or two dimensions are needed", path);
    t->rows = t->npy.ndims == 2 ? (size_t)t->npy.dims[0] : one_is_row ? 1 : count;
    t->columns = count / t->rows;
    t->values = base_heap_alloc(count * sizeof *t->values);
    if (!t->values) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    for (size_t i = 0; i < count; i++)
        t->values[i] = (float)base_dtype_number(t->npy.dtype, t->data, i);
    return WHORL_OK;
}

static enum whorl_status choose_rows(const struct table *t, const char *list, size_t rows[PLOT_MOST_ROWS],
                                     size_t *out_count, struct whorl_error *err) {
    float *keys = base_heap_alloc(t->rows * sizeof *keys);
    if (!keys) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    for (size_t r = 0; r < t->rows; r++)
        keys[r] = t->values[(r + 1) * t->columns - 1];
    enum whorl_status status = plot_rows(list, keys, t->rows, rows, out_count, err);
    base_heap_free(keys);
    return status;
}

static void free_table(struct table *t) {
    base_heap_free(t->data);
    base_heap_free(t->values);
}

// Entry `index` of a comma-separated list; "" where there is none.
static void list_entry(const char *list, size_t index, char *out, size_t size) {
    for (; list && index; index--) {
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    snprintf(out, size, "%.*s", list ? (int)strcspn(list, ",") : 0, list ? list : "");
}

enum cli_exit cli_plot(const struct cli_options *o) {
    struct whorl_error err = {0};
    struct table t;
    struct plot_curve curves[PLOT_MOST_ROWS];
    char labels[PLOT_MOST_ROWS][64];
    size_t rows[PLOT_MOST_ROWS], count = 0;
    enum whorl_status status = read_table(o->files.items[0], true, &t, &err);
    const char *list = o->rows       ? o->rows
                       : t.rows == 1 ? "0"
                       : t.rows == 2 ? "0,1"
                       : t.rows == 3 ? "0,1,2"
                                     : "best,median,worst";
    if (status == WHORL_OK) status = choose_rows(&t, list, rows, &count, &err);
    for (size_t k = 0; k < count && status == WHORL_OK; k++) {
        list_entry(o->labels, k, labels[k], sizeof labels[k]);
        if (!labels[k][0]) {
            char word[32];
            list_entry(list, k, word, sizeof word);
            if (word[0] >= '0' && word[0] <= '9')
                snprintf(labels[k], sizeof labels[k], "row %zu", rows[k]);
            else
                snprintf(labels[k], sizeof labels[k], "%s (row %zu)", word, rows[k]);
        }
        curves[k] = (struct plot_curve){t.values + rows[k] * t.columns, t.columns, labels[k]};
    }
    if (status == WHORL_OK) {
        int height = o->height ? (int)(o->height < 200 ? o->height : 200) : 16;
        if (o->title) printf("%s%s%s\n", cli_style(stdout, CLI_BOLD), o->title, cli_style(stdout, CLI_PLAIN));
        int width = cli_width(stdout);
        plot_draw(stdout, curves, count, width < 120 ? width : 120, height, cli_is_utf8());
    }
    free_table(&t);
    err.status = status;
    return status == WHORL_OK ? CLI_OK : cli_report(&err);
}

// What -o says, before anything is printed.
static enum whorl_status check_rows(const struct cli_options *o, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (size_t i = 0; i < o->outputs.count && status == WHORL_OK; i++) {
        const char *item = o->outputs.items[i];
        if (strncmp(item, "rows=", 5) != 0 || !item[5])
            return base_set_error(err, WHORL_INVALID, "call", "-o %s: pick writes -o rows=FILE.npy", item);
        status = outputs_check_place(item + 5, err);
    }
    return status;
}

// -o rows=FILE: the numbers of the rows, as the i32 array that a program takes.
static enum whorl_status write_rows(const struct cli_options *o, const size_t *rows, size_t count,
                                    struct whorl_error *err) {
    int32_t numbers[PLOT_MOST_ROWS];
    uint64_t dims[1] = {count};
    for (size_t k = 0; k < count; k++)
        numbers[k] = (int32_t)rows[k];
    for (size_t i = 0; i < o->outputs.count; i++) {
        enum whorl_status status = npy_write(o->outputs.items[i] + 5, WHORL_I32, 1, dims, numbers, err);
        if (status != WHORL_OK) return status;
    }
    return WHORL_OK;
}

enum cli_exit cli_pick(const struct cli_options *o) {
    struct whorl_error err = {0};
    struct table t = {0};
    size_t rows[PLOT_MOST_ROWS], count = 0;
    const char *list = o->rows ? o->rows : "best,median,worst";
    enum whorl_status status = check_rows(o, &err);
    if (status == WHORL_OK) status = read_table(o->files.items[0], false, &t, &err);
    if (status == WHORL_OK) status = choose_rows(&t, list, rows, &count, &err);
    for (size_t k = 0; k < count && status == WHORL_OK && !o->quiet; k++) {
        char word[32];
        list_entry(list, k, word, sizeof word);
        printf("%-8s row %-8zu %.6g\n", word, rows[k], (double)t.values[(rows[k] + 1) * t.columns - 1]);
    }
    if (status == WHORL_OK) status = write_rows(o, rows, count, &err);
    free_table(&t);
    err.status = status;
    return status == WHORL_OK ? CLI_OK : cli_report(&err);
}
