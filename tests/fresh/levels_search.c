// levels_search.c - rolling hashes of several lengths over one text: how often and where first and last a window's hash
// is one that is wanted, and which windows differ in content though their hash is small. What is found needs the hash of
// the pass, which is a recurrence of its own.
//
// run: -i n=1000000 -i m=16 -i text=uniform:lo=0,hi=5,seed=1
// test: -i n=1601 -i m=3 -i text=uniform:lo=0,hi=3,seed=1
// check: exact
// dispatches: 1
#include <stdbool.h>
#include <stdint.h>

void levels_search(int n, int m, const unsigned char text[n], int count[m], int first[m], int last[m], int spread[m],
                   uint32_t sums[m]) {
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        int size = 4 + r % 5, start = (r * 40503) % (n - size);
        uint32_t wanted = 0, top = 1, hash = 0, sum = 0;
        for (int k = 0; k < size; k++) {
            wanted = wanted * 257u + text[start + k];
            top *= 257u;
        }
        int found = 0, where = -1, latest = -1, widest = 0;
        bool seen = false;
        for (int i = 0; i < n; i++) {
            hash = hash * 257u + text[i];
            if (i >= size) hash -= text[i - size] * top;
            if (i < size - 1) continue;
            if (hash % 8u == 1u) sum += hash;
            if (hash != wanted) continue;
            int k = 0;
            while (k < size && text[i - size + 1 + k] == text[start + k])
                k++;
            if (k < size) continue;
            if (!seen) {
                seen = true;
                where = i - size + 1;
            }
            if (latest >= 0 && i - latest > widest) widest = i - latest;
            latest = i;
            found++;
        }
        count[r] = found;
        first[r] = where;
        last[r] = latest - size + 1;
        spread[r] = widest;
        sums[r] = sum;
    }
}
