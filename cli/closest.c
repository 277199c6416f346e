// Which word was meant: for options, directives and parameters that do not exist.
#include <string.h>
#include <strings.h>

#include "terminal.h"

// Edit distance with neighbours swapped counting as one; words longer than the table are far away.
static int distance(const char *a, const char *b) {
    enum { LONGEST = 40 };
    int rows = (int)strlen(a), cols = (int)strlen(b), d[LONGEST + 1][LONGEST + 1];
    if (rows > LONGEST || cols > LONGEST) return LONGEST;
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= cols; j++) {
            if (!i || !j) {
                d[i][j] = i + j;
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[rows][cols];
}

const char *cli_closest(const char *word, const char *const *words) {
    const char *best = NULL;
    int size = (int)strlen(word), least = size < 4 ? 1 : size < 8 ? 2 : 3;
    for (; *words; words++) {
        if (strcasecmp(word, *words) == 0 && strcmp(word, *words) != 0) return *words;
        int far = distance(word, *words);
        if (far <= least && far < (int)strlen(*words)) {
            if (far < least || !best) best = *words;
            least = far;
        }
    }
    return best;
}
