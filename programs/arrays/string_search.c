// string_search.c - how often, and where first, each of many words stands in a text.
//
// Source: plain comparison at every place, after a look at the word's hash (R. M. Karp, M. O. Rabin, "Efficient
// randomized pattern-matching algorithms", 1987). The text is made by a linear congruential generator.
//
// run: -i length=1000000 -i words=200 -i size=6 -i seed=3
// test: -i length=3000 -i words=9 -i size=3 -i seed=3
// check: exact
// dispatches: 1
// barriers: 1 in all
#include <stdint.h>

void string_search(int length, int words, int size, uint32_t seed, unsigned char text[length], int count[words],
                   int first[words]) {
#pragma omp parallel for
    for (int i = 0; i < length; i++) {
        uint32_t r = (uint32_t)i * 2654435761u + seed;
        r ^= r >> 15;
        r *= 2246822519u;
        r ^= r >> 13;
        text[i] = (unsigned char)('a' + r % 6u);
    }
#pragma omp parallel for
    for (int w = 0; w < words; w++) {
        int start = (int)(((uint32_t)w * 40503u) % (uint32_t)(length - size));
        uint32_t wanted = 0, top = 1;
        for (int k = 0; k < size; k++) {
            wanted = wanted * 257u + text[start + k];
            if (k > 0) top *= 257u;
        }
        uint32_t hash = 0;
        int found = 0, where = -1;
        for (int i = 0; i < length; i++) {
            if (i >= size) hash -= text[i - size] * top;
            hash = hash * 257u + text[i];
            if (i < size - 1 || hash != wanted) continue;
            int k = 0;
            while (k < size && text[i - size + 1 + k] == text[start + k])
                k++;
            if (k < size) continue;
            if (where < 0) where = i - size + 1;
            found++;
        }
        count[w] = found;
        first[w] = where;
    }
}
