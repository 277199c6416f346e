// signals.c - makes finance's signals out of a table of daily prices.
//
//   signals PRICES.csv OUT.npy        (PRICES.csv may be - for standard input)
//
// In: CSV with a heading, a date YYYY-MM-DD (ascending) and at least 16 prices a row; the first 16 series are taken.
// Out: float32 [1500][36], one row for each of the last 1,500 days (a day is the step from one row of the table to the
// next):
//     s0..s3    mean daily return of the 16 series over the 1, 5, 20, 60 days before
//     s4..s19   max(return over the 20 days before, 0)
//     s20..s35  the day's return
// The days before the first of them are further up in the table, so it needs 1,501 + 60 rows. All that a policy sees of
// a day ends with the day before; only s20..s35, which settle the day, know its prices (tests/unit/signals_test.c
// changes later prices).
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SERIES = 16,
    DAYS = 1500,
    COLUMNS = 4 + 2 * SERIES,
    LOOK_BACK = 60,
    TREND = 20,
    ROWS_NEEDED = DAYS + 1 + LOOK_BACK
};
static const size_t LARGEST_FILE = (size_t)64 << 20;

struct prices {
    double (*row)[SERIES];
    size_t rows, capacity;
};

struct problem {
    char text[200];
};

static bool fail(struct problem *out_problem, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out_problem->text, sizeof out_problem->text, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_date(const char *s, size_t size) {
    static const char form[] = "dddd-dd-dd";
    if (size != sizeof form - 1) return false;
    for (size_t i = 0; i < size; i++)
        if (form[i] == 'd' ? !isdigit((unsigned char)s[i]) : s[i] != form[i]) return false;
    return true;
}

// One positive decimal number that fills the field. The text behind `s` ends in a NUL somewhere, so strtod stops.
static bool read_price(const char *s, size_t size, double *out_price) {
    for (size_t i = 0; i < size; i++)
        if (!isdigit((unsigned char)s[i]) && !strchr(".eE+-", s[i])) return false; // no hexadecimal, inf, nan or blanks
    char *end;
    *out_price = strtod(s, &end);
    return size > 0 && end == s + size && isfinite(*out_price) && *out_price > 0;
}

// Reads one line of `size` bytes with a date and prices into the table's next row.
static bool read_row(struct prices *prices, const char *line, size_t size, size_t number, size_t fields_expected,
                     char last_date[11], struct problem *out_problem) {
    if (prices->rows == prices->capacity) {
        size_t capacity = prices->capacity ? 2 * prices->capacity : 4096;
        void *grown = realloc(prices->row, capacity * sizeof *prices->row);
        if (!grown) return fail(out_problem, "out of memory");
        prices->row = grown;
        prices->capacity = capacity;
    }
    size_t fields = 0, at = 0;
    for (;;) {
        const char *comma = memchr(line + at, ',', size - at);
        size_t length = comma ? (size_t)(comma - line) - at : size - at;
        if (fields == 0) {
            if (!is_date(line + at, length))
                return fail(out_problem, "line %zu: the first field is no date YYYY-MM-DD", number);
            if (memcmp(line + at, last_date, 10) <= 0)
                return fail(out_problem, "line %zu: the date is not after the one before", number);
            memcpy(last_date, line + at, 10);
        } else if (fields <= SERIES && !read_price(line + at, length, &prices->row[prices->rows][fields - 1]))
            return fail(out_problem, "line %zu, field %zu: not a positive number", number, fields + 1);
        fields++;
        if (!comma) break;
        at += length + 1;
    }
    if (fields != fields_expected)
        return fail(out_problem, "line %zu: %zu fields, the heading has %zu", number, fields, fields_expected);
    prices->rows++;
    return true;
}

// `text` holds `size` bytes and a NUL behind them. The caller frees out_prices->row, after a failure too.
static bool read_prices(const char *text, size_t size, struct prices *out_prices, struct problem *out_problem) {
    *out_prices = (struct prices){0};
    size_t fields = 0, number = 0, at = 0;
    char last_date[11] = "";
    if (memchr(text, 0, size)) return fail(out_problem, "not a text file: it holds a zero byte");
    while (at < size) {
        const char *line = text + at, *newline = memchr(line, '\n', size - at);
        size_t length = newline ? (size_t)(newline - line) : size - at;
        at += length + 1;
        number++;
        if (length && line[length - 1] == '\r') length--;
        if (number == 1) {
            fields = 1;
            for (size_t i = 0; i < length; i++)
                fields += line[i] == ',';
            if (fields < 1 + SERIES)
                return fail(out_problem, "the heading has %zu fields, a date and %d series are needed", fields, SERIES);
        } else if (!read_row(out_prices, line, length, number, fields, last_date, out_problem))
            return false;
    }
    if (out_prices->rows < ROWS_NEEDED)
        return fail(out_problem, "%zu rows of prices, at least %d are needed", out_prices->rows, ROWS_NEEDED);
    return true;
}

// The return of series s from row `from` to row `to` of the table.
static double price_return(const struct prices *prices, size_t from, size_t to, size_t s) {
    return prices->row[to][s] / prices->row[from][s] - 1.0;
}

static void make_signals(const struct prices *prices, float out_signals[DAYS][COLUMNS]) {
    static const size_t spans[4] = {1, 5, TREND, LOOK_BACK};
    for (size_t day = 0; day < DAYS; day++) {
        size_t today = prices->rows - DAYS + day, yesterday = today - 1;
        for (size_t k = 0; k < 4; k++) {
            double sum = 0;
            for (size_t back = 0; back < spans[k]; back++)
                for (size_t s = 0; s < SERIES; s++)
                    sum += price_return(prices, yesterday - back - 1, yesterday - back, s);
            out_signals[day][k] = (float)(sum / (double)(spans[k] * SERIES));
        }
        for (size_t s = 0; s < SERIES; s++) {
            out_signals[day][4 + s] = (float)fmax(price_return(prices, yesterday - TREND, yesterday, s), 0.0);
            out_signals[day][4 + SERIES + s] = (float)price_return(prices, yesterday, today, s);
        }
    }
}

#ifndef SIGNALS_WITHOUT_MAIN

// The file's bytes and a NUL behind them, or NULL.
static char *read_text(const char *path, size_t *out_size, struct problem *out_problem) {
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!file) {
        fail(out_problem, "%s", strerror(errno));
        return NULL;
    }
    size_t size = 0, capacity = 1 << 20;
    char *text = malloc(capacity + 1);
    while (text) {
        size += fread(text + size, 1, capacity - size, file);
        if (size < capacity || capacity > LARGEST_FILE) break;
        capacity *= 2;
        char *grown = realloc(text, capacity + 1);
        if (!grown) free(text);
        text = grown;
    }
    if (!text)
        fail(out_problem, "out of memory");
    else if (ferror(file) || size > LARGEST_FILE) {
        fail(out_problem, ferror(file) ? "cannot be read" : "larger than 64 MiB");
        free(text);
        text = NULL;
    } else
        text[size] = 0;
    if (file != stdin) fclose(file);
    *out_size = size;
    return text;
}

static bool write_npy(const char *path, const float signals[DAYS][COLUMNS], struct problem *out_problem) {
    char header[128]; // magic, version 1.0, length of the rest, the dictionary padded with blanks to 128 bytes in all
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    char dictionary[100];
    int length = snprintf(dictionary, sizeof dictionary,
                          "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", DAYS, COLUMNS);
    memcpy(header + 10, dictionary, (size_t)length);
    header[127] = '\n';

    FILE *file = fopen(path, "wb");
    if (!file) return fail(out_problem, "%s", strerror(errno));
    bool written = fwrite(header, sizeof header, 1, file) == 1;
    for (size_t day = 0; day < DAYS && written; day++)
        for (size_t k = 0; k < COLUMNS && written; k++) {
            uint32_t bits;
            memcpy(&bits, &signals[day][k], 4);
            unsigned char bytes[4] = {bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >> 24};
            written = fwrite(bytes, 4, 1, file) == 1;
        }
    int write_error = errno;
    if (fclose(file) != 0 || !written)
        return fail(out_problem, "cannot be written: %s", strerror(written ? errno : write_error));
    return true;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: signals PRICES.csv OUT.npy\n");
        return 2;
    }
    static float signals[DAYS][COLUMNS];
    struct prices prices = {0};
    struct problem problem;
    const char *path = argv[1];
    size_t size;
    char *text = read_text(path, &size, &problem);
    bool good = text && read_prices(text, size, &prices, &problem);
    if (good) {
        make_signals(&prices, signals);
        path = argv[2];
        good = write_npy(path, signals, &problem);
    }
    free(prices.row);
    free(text);
    if (!good) fprintf(stderr, "signals: %s: %s\n", path, problem.text);
    return good ? 0 : 1;
}

#endif
