#include "front/text/printers.h"

#include <stddef.h>
#include <string.h>

const struct front_print *front_find_print(const char *name) {
    static const struct front_print prints[] = {
        {"printf", FRONT_SAYS_FORMAT, FRONT_NO_FILE},     {"puts", FRONT_SAYS_LINE, FRONT_NO_FILE},
        {"putchar", FRONT_SAYS_CHARACTER, FRONT_NO_FILE}, {"fprintf", FRONT_SAYS_FORMAT, FRONT_FILE_FIRST},
        {"fputs", FRONT_SAYS_TEXT, FRONT_FILE_LAST},      {"fputc", FRONT_SAYS_CHARACTER, FRONT_FILE_LAST},
        {"putc", FRONT_SAYS_CHARACTER, FRONT_FILE_LAST},  {"fflush", FRONT_SAYS_NOTHING, FRONT_FILE_FIRST}};
    for (size_t i = 0; i < sizeof prints / sizeof *prints; i++)
        if (strcmp(name, prints[i].name) == 0) return &prints[i];
    return NULL;
}
