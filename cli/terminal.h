// What the terminal can show, and the one way in which messages reach the user.
#ifndef WHORL_CLI_TERMINAL_H
#define WHORL_CLI_TERMINAL_H

#include <stdio.h>

#include "base/base.h"

// Exit codes, the same for every command.
enum cli_exit { CLI_OK = 0, CLI_WRONG = 1, CLI_USAGE = 2, CLI_NO_DEVICE = 3, CLI_TIME_OVER = 124, CLI_CANCELLED = 130 };

enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_RED, CLI_GREEN, CLI_YELLOW, CLI_BLUE, CLI_MAGENTA };

// The escape sequence of the style, or "" where the stream is no terminal, NO_COLOR is set or TERM is dumb.
const char *cli_style(FILE *stream, enum cli_style style);
bool cli_is_terminal(FILE *stream);
// Columns of the stream's terminal; $COLUMNS, then 80 where it is none.
int cli_width(FILE *stream);
// The locale's character set is UTF-8.
bool cli_is_utf8(void);

// "whorl: error: ..." on stderr. A message that is a compiler's diagnostic already ("file:1:2: error: ...") is printed
// as it is.
void cli_error(const char *format, ...) BASE_PRINTF(1, 2);
// "whorl: ..." on stderr: what to do next, or what happened on the way.
void cli_hint(const char *format, ...) BASE_PRINTF(1, 2);
// Text from outside (names of files, excerpts, messages) as a terminal may see it: control characters as \x1b.
void cli_print(FILE *out, const char *text);
// The same for a name in a table, which keeps its length: control characters become `?`, in place.
char *cli_clean(char *text);
// Prints the error and gives the exit code that its status stands for.
enum cli_exit cli_report(const struct whorl_error *err);

// Hands over what was printed so far. False: a part of it was not taken (a full disk behind `>`), and why is kept.
bool cli_push(void);
const char *cli_output_reason(void); // "No space left on device"
// `code`, or CLI_WRONG where what was printed was not taken, which it says once.
enum cli_exit cli_flush(enum cli_exit code);

// Words of `text` in lines of at most `width` columns, the second and later ones indented; the first starts at column
// `at`.
void cli_wrap(FILE *out, const char *text, int at, int indent, int width);

// 12345678 as "12,345,678", in `out` of at least 32 bytes; returns `out`.
const char *cli_thousands(uint64_t value, char *out);
// A time as people read it: "8.31 ms", "1.92 s", "3 min 20 s"; in `out` of at least 32 bytes.
const char *cli_duration(double ms, char *out);

double cli_now_s(void); // of a clock that nobody sets

// The word of the NULL-terminated list that `word` was probably meant to be, or NULL.
const char *cli_closest(const char *word, const char *const *words);

#endif
