// printf's formats, split into what stands for itself and what takes an argument: the compiler checks them, the runtime
// prints by them.
#ifndef WHORL_CONVERSION_H
#define WHORL_CONVERSION_H

#include <stdbool.h>
#include <stddef.h>

enum { BASE_CONVERSION_FLAGS = 8 };
struct base_conversion {
    const char *text; // where it starts in the format
    size_t size;
    char letter;                       // 'd'; '%' of %%; 0: plain text
    char flags[BASE_CONVERSION_FLAGS]; // "-0"
    int width, precision;              // -1: not given
    bool star;                         // a width or precision comes from an argument
    char length[3];                    // "", "h", "hh", "l", "ll", "z", "j", "t", "L"
};
// The next piece of the format at *at, which moves on. False at its end; a letter of '?' is a conversion that C does
// not have.
bool base_conversion_next(const char **at, struct base_conversion *out);

#endif
