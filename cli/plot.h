// Curves drawn with characters: braille dots where the terminal knows UTF-8, plain letters where not.
#ifndef WHORL_CLI_PLOT_H
#define WHORL_CLI_PLOT_H

#include <stdio.h>

#include "base/base.h"

struct plot_curve {
    const float *values;
    size_t count;
    const char *label;
};
// Draws up to 6 curves over a common axis, `width` columns and `height` lines in all plus a legend; NaN and infinity
// leave gaps.
void plot_draw(FILE *out, const struct plot_curve *curves, size_t curve_count, int width, int height, bool utf8);

// Which rows "best", "median", "worst" or a number are, by each row's last value; NaN counts as worst. keys[i] is row
// i's last value. Fails with WHORL_INVALID, naming what was not understood.
enum { PLOT_MOST_ROWS = 6 };
enum whorl_status plot_rows(const char *list, const float *keys, size_t count, size_t out_rows[PLOT_MOST_ROWS],
                            size_t *out_count, struct whorl_error *err);

#endif
