// The library's functions that print to the standard output.
#ifndef WHORL_FRONT_PRINTERS_H
#define WHORL_FRONT_PRINTERS_H

// What a call prints: a format and its arguments, a text, a text and a new line, a character, or nothing; and where
// its arguments name the file.
struct front_print {
    const char *name;
    enum { FRONT_SAYS_FORMAT, FRONT_SAYS_TEXT, FRONT_SAYS_LINE, FRONT_SAYS_CHARACTER, FRONT_SAYS_NOTHING } says;
    enum { FRONT_NO_FILE, FRONT_FILE_FIRST, FRONT_FILE_LAST } file;
};
// NULL: no function of that name prints.
const struct front_print *front_find_print(const char *name);

#endif
