// levels_parser.c - one look through a long text, by sequential code: depth of brackets outside of quotes, words, the
// longest line, where pieces begin. Whether a place is quoted is found first, then the depth, then what needs both.
//
// run: -i n=4000000 -i seed=7
// test: -i n=3001 -i seed=7
// check: exact
#include <stdbool.h>
#include <stdint.h>

void levels_parser(int n, uint32_t seed, unsigned char text[n], int begins[n], int depths[n], int result[9]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint32_t r = (uint32_t)i * 2654435761u + seed;
        r ^= r >> 15;
        r *= 2246822519u;
        r ^= r >> 13;
        uint32_t k = r % 41u;
        text[i] = k < 6 ? '(' : k < 12 ? ')' : k < 14 ? '"' : k < 20 ? ' ' : k < 22 ? '\n' : (unsigned char)('a' + k % 26u);
    }
    bool quoted = false, in_word = false;
    int depth = 0, deepest = 0, deepest_at = -1, words = 0, lines = 0, line = 0, longest = 0, pieces = 0, under = -1;
    for (int i = 0; i < n; i++) {
        unsigned char c = text[i];
        if (c == '"') quoted = !quoted;
        line = c == '\n' ? 0 : line + 1;
        if (line > longest) longest = line;
        lines += c == '\n';
        bool letter = c >= 'a' && c <= 'z';
        if (letter && !in_word && !quoted) words++;
        in_word = letter;
        if (quoted) continue;
        if (c == '(') depth++;
        if (c == ')') depth--;
        if (depth > deepest) {
            deepest = depth;
            deepest_at = i;
        }
        if (depth < 0 && under < 0) under = i;
        depths[i] = depth;
        if (c == '(' && depth % 4 == 1) begins[pieces++] = i;
    }
    result[0] = depth;
    result[1] = deepest;
    result[2] = deepest_at;
    result[3] = words;
    result[4] = lines;
    result[5] = longest;
    result[6] = pieces;
    result[7] = under;
    result[8] = quoted;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        depths[i] += i < pieces ? begins[i] & 3 : deepest;
}
