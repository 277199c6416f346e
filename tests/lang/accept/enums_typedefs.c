// enum with and without values, enum constants as array sizes and cases, typedef of scalars, arrays, structs and pointers.
// test: -i n=40
// check: exact
#include <stdint.h>

enum { CELLS = 4, LAST = CELLS - 1 };
enum mode { ADD = -1, KEEP, MULTIPLY = 1 << 2, ANOTHER };
typedef enum mode mode;
typedef uint32_t word;
typedef int row[CELLS];
typedef struct {
    row cells;
    mode how;
} table;
typedef const table *table_ref;

static int apply(table_ref t, int x) {
    switch (t->how) {
    case ADD: return x + t->cells[LAST];
    case KEEP: return x;
    case MULTIPLY: return x * t->cells[0];
    default: return (int)t->how;
    }
}

void modes(int n, int out[n]) {
    const mode all[4] = {ADD, KEEP, MULTIPLY, ANOTHER};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        table t = {{i + 2, 0, 0, i}, all[i % 4]};
        word w = (word)i;
        out[i] = apply(&t, (int)w + 1);
    }
}
