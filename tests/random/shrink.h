// Cuts a failing program down while it keeps failing in the same way.
#ifndef RANDOM_SHRINK_H
#define RANDOM_SHRINK_H

#include "judge.h"

struct shrink_result {
    char path[400];         // of the file written
    struct verdict verdict; // of what is left
    int tried, lines;
};
// Each attempt runs in a child process, so crashes and hangs can be shrunk too. `seconds` bounds the whole.
bool shrink(uint64_t seed, const struct way *way, enum failure failure, const char *why, const char *folder,
            int seconds, struct shrink_result *out);

#endif
