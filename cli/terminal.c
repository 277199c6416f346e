// What the terminal can show, messages, and numbers as people read them.
#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

bool cli_is_terminal(FILE *stream) { return isatty(fileno(stream)) == 1; }

const char *cli_style(FILE *stream, enum cli_style style) {
    static const char *const codes[] = {
        [CLI_PLAIN] = "\033[0m",  [CLI_BOLD] = "\033[1m",    [CLI_DIM] = "\033[2m",   [CLI_RED] = "\033[1;31m",
        [CLI_GREEN] = "\033[32m", [CLI_YELLOW] = "\033[33m", [CLI_BLUE] = "\033[34m", [CLI_MAGENTA] = "\033[35m",
    };
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if ((no_color && *no_color) || !cli_is_terminal(stream) || (term && strcmp(term, "dumb") == 0)) return "";
    return codes[style];
}

int cli_width(FILE *stream) {
    struct winsize size;
    if (cli_is_terminal(stream) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;
    return width >= 20 && width <= 1000 ? width : 80;
}

bool cli_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

// ---- messages ----

static bool is_diagnostic(const char *text) {
    const char *end = strchr(text, '\n');
    size_t size = end ? (size_t)(end - text) : strlen(text);
    for (size_t i = 0; i + 7 < size; i++)
        if (isdigit((unsigned char)text[i]) &&
            (memcmp(text + i + 1, ": error", 7) == 0 || memcmp(text + i + 1, ": warni", 7) == 0 ||
             memcmp(text + i + 1, ": note:", 7) == 0))
            return true;
    return false;
}

// Bytes of the control character at `text`: of ASCII, or of Latin 1 in UTF-8; 0: it is none.
static int control(const char *text) {
    unsigned char c = (unsigned char)text[0], next = c ? (unsigned char)text[1] : 0;
    if (c == 0xc2 && next >= 0x80 && next < 0xa0) return 2;
    return c == '\n' || c == '\t' ? 0 : c < ' ' || c == 0x7f;
}

void cli_print(FILE *out, const char *text) {
    for (int size; *text; text += size ? size : 1) {
        size = control(text);
        if (size)
            fprintf(out, "\\x%02x", (unsigned char)text[size - 1]);
        else
            fputc(*text, out);
    }
}

char *cli_clean(char *text) {
    for (char *c = text; *c; c++)
        if (control(c) || *c == '\n' || *c == '\t') *c = '?';
    return text;
}

// stdio writes when its buffer is full, too, and then nobody keeps the reason.
static int output_error;

bool cli_push(void) {
    errno = 0;
    bool ok = fflush(stdout) == 0 && !ferror(stdout);
    if (!ok && !errno && !output_error) { // broken already, and one more byte is refused for the same reason
        ssize_t n = write(STDOUT_FILENO, "\n", 1);
        (void)n;
    }
    if (!ok && errno && !output_error) output_error = errno;
    return ok;
}

const char *cli_output_reason(void) {
    return output_error ? strerror(output_error) : "standard output did not take all of it";
}

static void print_line(const char *format, va_list args) {
    char text[sizeof((struct whorl_error *)0)->message + 1024]; // room for any error's message
    vsnprintf(text, sizeof text, format, args);
    cli_print(stderr, text);
    fputc('\n', stderr);
}

void cli_error(const char *format, ...) {
    va_list args;
    (void)cli_push(); // what was said before stands before
    fprintf(stderr, "whorl: %serror:%s ", cli_style(stderr, CLI_RED), cli_style(stderr, CLI_PLAIN));
    va_start(args, format);
    print_line(format, args);
    va_end(args);
}

void cli_hint(const char *format, ...) {
    va_list args;
    (void)cli_push();
    fputs("whorl: ", stderr);
    va_start(args, format);
    print_line(format, args);
    va_end(args);
}

enum cli_exit cli_flush(enum cli_exit code) {
    static bool is_said;
    if (cli_push() || (code != CLI_OK && !is_said)) return code;
    if (!is_said) cli_error("cannot write the output: %s", cli_output_reason());
    is_said = true;
    return code == CLI_OK ? CLI_WRONG : code;
}

static enum cli_exit exit_of(const struct whorl_error *err) {
    switch (err->status) {
    case WHORL_OK: return CLI_OK;
    case WHORL_CANCELLED: return CLI_CANCELLED;
    case WHORL_STOPPED: return CLI_TIME_OVER;
    case WHORL_DEVICE:
    case WHORL_TIMEOUT: return CLI_NO_DEVICE;
    case WHORL_INVALID: // of an option, and not of an input or a file
        return strcmp(err->stage, "call") == 0 || strcmp(err->stage, "compile") == 0 ? CLI_USAGE : CLI_WRONG;
    default: return CLI_WRONG;
    }
}

enum cli_exit cli_report(const struct whorl_error *err) {
    if (err->status == WHORL_CANCELLED || err->status == WHORL_STOPPED) {
        cli_hint("%s", err->status == WHORL_CANCELLED && !err->message[0] ? "cancelled" : err->message);
        return exit_of(err);
    }
    const char *text = err->message[0] ? err->message : whorl_status_name(err->status);
    if (is_diagnostic(text)) {
        size_t size = strlen(text);
        (void)cli_push();
        cli_print(stderr, text);
        if (size == 0 || text[size - 1] != '\n') fputc('\n', stderr);
    } else { // of no place in a file: cli_error says once that it is an error
        if (strncmp(text, "error: ", 7) == 0) text += 7;
        cli_error("%.*s", (int)(strcspn(text, "\n") + 1 == strlen(text) ? strlen(text) - 1 : strlen(text)), text);
    }
    if (err->status == WHORL_INTERNAL)
        cli_hint("this is a bug in whorl: please report it with the program that shows it");
    if (exit_of(err) == CLI_NO_DEVICE && strcmp(err->stage, "cpu") == 0)
        cli_hint("the CPU device and --check need a C compiler with OpenMP (Debian: apt-get install gcc)");
    else if (exit_of(err) == CLI_NO_DEVICE)
        cli_hint("`whorl devices` lists what is here; `--device cpu` runs on the CPU");
    return exit_of(err);
}

// ---- text and numbers ----

void cli_wrap(FILE *out, const char *text, int at, int indent, int width) {
    int column = at;
    bool first = true;
    while (*text) {
        int size = (int)strcspn(text, " ");
        if (!first && column + 1 + size > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, (size_t)size, out);
        column += size;
        first = false;
        text += size;
        while (*text == ' ')
            text++;
    }
    fputc('\n', out);
}

const char *cli_thousands(uint64_t value, char *out) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), at = 0;
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = 0;
    return out;
}

double cli_now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *cli_duration(double ms, char *out) {
    const size_t size = 32;
    if (ms < 0.9995)
        snprintf(out, size, "%.0f us", ms * 1e3);
    else if (ms < 999.5)
        snprintf(out, size, "%.3g ms", ms);
    else if (ms < 99.95e3)
        snprintf(out, size, "%.3g s", ms / 1e3);
    else
        snprintf(out, size, "%.0f min %.0f s", (double)(long)(ms / 60e3), ms / 1e3 - 60 * (double)(long)(ms / 60e3));
    return out;
}
