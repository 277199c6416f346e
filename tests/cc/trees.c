// Nodes of a tree with fields of 8 and 16 bits, of any sign, that the region reads, and those that it leaves as they are.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 6 };
typedef struct {
    int location, keys[ORDER + 1], children[ORDER];
    bool is_leaf;
    signed char low;
    short wide;
    unsigned short wider;
    unsigned char high;
    char name[5];
    int count;
} node;

struct plane {
    int w, h;
};
// of the sizes that are tried, the least have no iterations
static void add(const struct plane *p, node *nodes) {
#pragma omp parallel for // CPU: a field of 8 or 16 bits in a struct that is passed
    for (int y = 1; y < p->h - 1; y++)
        for (int x = 1; x < p->w - 1; x++)
            nodes[y * p->w + x].wide = (short)(x + y);
}

int main(void) {
    int n = 200;
    node *nodes = calloc((size_t)n, sizeof *nodes);
    int *found = malloc((size_t)n * sizeof *found);
    for (int i = 0; i < n; i++) {
        nodes[i].location = i;
        for (int k = 0; k < ORDER; k++) {
            nodes[i].keys[k] = (i * 7 + k * 5) % 60;
            nodes[i].children[k] = (i + k * k + 1) % n;
        }
        nodes[i].is_leaf = i % 5 == 2;
        nodes[i].low = (signed char)(i * 3 - 90);
        nodes[i].wide = (short)(i * 300 - 30000);
        nodes[i].wider = (unsigned short)(i * 330);
        nodes[i].high = (unsigned char)(i + 56);
        nodes[i].name[0] = (char)('a' + i % 26);
        nodes[i].count = ORDER;
    }
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < n; i++) {
        int at = i, depth = 0;
        while (!nodes[at].is_leaf && depth < 20) {
            int k = 0;
            while (k + 1 < nodes[at].count && nodes[at].keys[k] < i % 60)
                k++;
            at = nodes[at].children[k];
            depth++;
        }
        found[i] = at * 100 + depth + nodes[at].low + nodes[at].wide + nodes[at].wider + nodes[at].high;
    }
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < n; i++)
        nodes[i].count += nodes[i].low < 0 ? 1 : 2;
#pragma omp parallel for // CPU: a field of 8 or 16 bits in a struct that is passed
    for (int i = 0; i < n; i++)
        nodes[i].high += 1;
    struct plane p = {20, 10};
    add(&p, nodes);
    for (int i = 0; i < n; i += 7)
        printf("%d %d %d %d %d %c\n", found[i], nodes[i].wide, nodes[i].count, nodes[i].high, nodes[i].is_leaf,
               nodes[i].name[0]);
    return 0;
}
