// A state machine for each row of bytes: words of letters, numbers and what stands between them. The class of each byte,
// the number of the word at its first byte, numbers read to their values, a checksum.
// run: -i rows=100000 -i columns=500 -i text=uniform:lo=32,hi=127,seed=1
// test: -i rows=257 -i columns=83 -i text=uniform:lo=32,hi=127,seed=1
// check: exact
#include <stdint.h>
#include <string.h>

enum { BETWEEN, WORD, NUMBER };

void walk_states(int rows, int columns, const uint8_t text[rows][columns], uint8_t kind[rows][columns],
                 int32_t start[rows][columns], int16_t value[rows][columns], uint32_t sum[rows], int32_t words[rows]) {
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        int state = BETWEEN, count = 0, number = 0;
        uint32_t hash = 5381u;
        for (int c = 0; c < columns; c++) {
            int byte = text[r][c], next = BETWEEN;
            if ((byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z'))
                next = WORD;
            else if (byte >= '0' && byte <= '9')
                next = state == WORD ? WORD : NUMBER;
            kind[r][c] = (uint8_t)next;
            hash = hash * 33u ^ (uint32_t)byte;
            if (next == NUMBER) {
                number = (state == NUMBER ? number * 10 : 0) + byte - '0';
                number %= 10000;
            }
            value[r][c] = (int16_t)(next == NUMBER ? number : -1);
            int before = state;
            state = next;
            if (next != WORD || before == WORD) continue;
            count++;
            start[r][c] = count;
        }
        sum[r] = hash;
        words[r] = count;
    }
}
