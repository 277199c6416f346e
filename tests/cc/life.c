// The game of life on a board behind a struct's pointer: the rules run on the GPU where the pointer is a variable of its own.
#include <stdio.h>
#include <stdlib.h>

typedef struct board {
    int width, height;
    unsigned *cells;
} board;

static board make(int width, int height) {
    board b = {width, height, calloc((size_t)width * (size_t)height, sizeof(unsigned))};
    if (!b.cells) exit(1);
    return b;
}

static void step(const board *from, board *to) {
    const int width = from->width, height = from->height;
    const unsigned *old = from->cells;
    unsigned *new = to->cells;
#pragma omp parallel for collapse(2) // GPU
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            unsigned around = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy) around += old[(y + dy + height) % height * width + (x + dx + width) % width];
            new[y * width + x] = around == 3u || (around == 2u && old[y * width + x]) ? 1u : 0u;
        }
}

static unsigned alive(const board *b) {
    unsigned count = 0;
    for (int i = 0; i < b->width * b->height; i++)
        count += b->cells[i];
    return count;
}

static void clear(board *b) {
#pragma omp parallel for // GPU
    for (int i = 0; i < b->width * b->height; i++)
        b->cells[i] = 0;
}

int main(void) {
    board one = make(160, 130), two = make(160, 130);
    static const char glider[3][4] = {".#.", "..#", "###"};
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            one.cells[(y + 5) * one.width + x + 5] = glider[y][x] == '#';
    for (int i = 0; i < one.width; i += 3)
        one.cells[60 * one.width + i] = one.cells[61 * one.width + i] = one.cells[62 * one.width + i] = 1;
    for (int t = 0; t < 24; t++) {
        step(t % 2 ? &two : &one, t % 2 ? &one : &two);
        if (t % 8 == 7) printf("%d: %u\n", t, alive(t % 2 ? &one : &two));
    }
    clear(&two);
    printf("%u %u\n", alive(&one), alive(&two));
    free(one.cells), free(two.cells);
    return 0;
}
