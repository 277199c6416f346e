// Numbers that texts of the command line and of directives say by the program's scalars: sums of products, as in `2*n-1`.
#ifndef WHORL_CLI_SCALAR_SUM_H
#define WHORL_CLI_SCALAR_SUM_H

#include "base/base.h"

struct scalar_sum {
    const char *at; // behind a sum that was read: what stands there
    const struct whorl_scalar *scalars;
    size_t scalar_count;
    const char *problem; // NULL: none
    char unknown[64];    // the name that is no scalar; "": it is something else
};

void scalar_sum_skip_space(struct scalar_sum *s);
// Numbers, scalars, *, + and -. After a problem the value means nothing.
double scalar_sum_read(struct scalar_sum *s);
// The same, where only whole numbers from 0 to 2^53 make sense.
uint64_t scalar_sum_count(struct scalar_sum *s);

#endif
