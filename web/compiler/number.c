// Printing and reading numbers, in place of the C library's snprintf and strtod, which go through streams, long doubles and wide
// characters: half the code, and faster. What is printed is what the compiler prints: %s %c %d %u %x with ll or z, %g %f %a, widths,
// precisions, the flags 0 and +. Floats are exact both ways: each has finitely many decimals, and what is read is compared with the
// decimals of what lies half way between two floats. tests/unit/web_number_test.c holds all of it against the C library.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Only its test compiles it natively, under other names.
#if defined(__wasm__) || defined(WEB_NUMBER_TEST)

// ---- decimals -------------------------------------------------------------------------------------------------------

// 0.DIGITS * 10^point, the first digit is not 0; of 0 there are none. What is read may have more: then the last is not 0.
enum { MOST_DIGITS = 1100 };
struct decimal {
    char digits[MOST_DIGITS];
    int count, point;
};

static char digit(const struct decimal *d, int at) { return at >= 0 && at < d->count ? d->digits[at] : '0'; }

// mantissa * 2^exponent, in words of nine digits, the highest first.
static void decimal_of(struct decimal *d, uint64_t mantissa, int exponent) {
    enum { WHOLE = 36, WORDS = WHOLE + 121, BILLION = 1000000000, NINE = 9 };
    uint32_t words[WORDS] = {0};
    int first = WHOLE, end = WHOLE;
    for (; mantissa; mantissa /= BILLION)
        words[--first] = (uint32_t)(mantissa % BILLION);
    for (; exponent > 0; exponent--) {
        uint32_t carry = 0;
        for (int i = end; i-- > first;) {
            uint32_t twice = 2 * words[i] + carry;
            carry = twice >= BILLION;
            words[i] = twice - carry * BILLION;
        }
        if (carry) words[--first] = 1;
    }
    for (; exponent < 0; exponent++) {
        uint32_t rest = 0;
        for (int i = first; i < end; i++) {
            uint32_t word = words[i];
            words[i] = word / 2 + rest * (BILLION / 2);
            rest = word % 2;
        }
        if (rest) words[end++] = BILLION / 2;
        if (first < end && !words[first]) first++;
    }
    d->count = 0;
    d->point = (WHOLE - first) * NINE;
    for (int i = first; i < end; i++)
        for (uint32_t unit = BILLION / 10, word = words[i]; unit; word %= unit, unit /= 10) {
            char c = (char)('0' + word / unit);
            if (d->count || c != '0')
                d->digits[d->count++] = c;
            else
                d->point--;
        }
    while (d->count && d->digits[d->count - 1] == '0')
        d->count--;
}

// To so many digits, or fewer than none; ties to even.
static void round_to(struct decimal *d, int keep) {
    if (keep >= d->count) return;
    bool up = keep >= 0 &&
              (digit(d, keep) > '5' || (digit(d, keep) == '5' && (keep + 1 < d->count || digit(d, keep - 1) % 2)));
    for (d->count = keep < 0 ? 0 : keep; up && d->count && d->digits[d->count - 1] == '9';)
        d->count--;
    if (up && d->count) {
        d->digits[d->count - 1]++;
    } else if (up) {
        d->digits[d->count++] = '1';
        d->point++;
    }
}

// ---- printing -------------------------------------------------------------------------------------------------------

struct sink {
    char *out;
    size_t room, size; // of the text, which may be longer than there is room for
};

static void put(struct sink *s, char c) {
    if (s->size < s->room) s->out[s->size] = c;
    s->size++;
}

struct spec {
    bool zero, plus, negative, numeric;
    int width, precision; // -1: none
};

// Filled up to the width on the left.
static void put_filled(struct sink *s, const struct spec *spec, const char *text, int size) {
    char sign = !spec->numeric ? 0 : spec->negative ? '-' : spec->plus ? '+' : 0;
    int fill = spec->width - size - (sign != 0);
    if (sign && spec->zero) put(s, sign);
    while (fill-- > 0)
        put(s, spec->zero ? '0' : ' ');
    if (sign && !spec->zero) put(s, sign);
    while (size-- > 0)
        put(s, *text++);
}

// Backwards from `at`; where it begins.
static char *whole_text(char *at, uint64_t value, unsigned base) {
    do
        *--at = "0123456789abcdef"[value % base];
    while (value /= base);
    return at;
}

// `decimals` behind the point, or fewer where they are zeros and `brief`.
static char *fixed_text(char *at, const struct decimal *d, int decimals, bool brief) {
    while (brief && decimals > 0 && digit(d, d->point + decimals - 1) == '0')
        decimals--;
    for (int i = d->point > 0 ? 0 : d->point - 1; i < d->point + decimals; i++) {
        if (i == d->point) *at++ = '.';
        *at++ = digit(d, i);
    }
    return at;
}

static char *exponent_text(char *at, char letter, int exponent, int least_digits) {
    char text[8], *end = text + sizeof text, *from = whole_text(end, (uint64_t)abs(exponent), 10);
    *at++ = letter;
    *at++ = exponent < 0 ? '-' : '+';
    for (int i = (int)(end - from); i < least_digits; i++)
        *at++ = '0';
    while (from < end)
        *at++ = *from++;
    return at;
}

static char *hex_text(char *at, uint64_t mantissa, int exponent) {
    const uint64_t one = 1ull << 52;
    memcpy(at, "0x", 2);
    at[2] = mantissa & one ? '1' : '0';
    at += 3;
    if (mantissa % one) *at++ = '.';
    for (mantissa %= one; mantissa; mantissa = mantissa * 16 % one)
        *at++ = "0123456789abcdef"[mantissa / (one / 16)];
    return exponent_text(at, 'p', exponent, 1);
}

static void put_float(struct sink *s, struct spec *spec, double value, char kind) {
    enum { MOST_DECIMALS = 60 };
    char text[MOST_DIGITS], *end = text;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff), decimals = spec->precision < 0 ? 6 : spec->precision;
    uint64_t mantissa = (bits & ((1ull << 52) - 1)) | (uint64_t)(exponent > 0) << 52;
    spec->negative = bits >> 63;
    if (decimals > MOST_DECIMALS) decimals = MOST_DECIMALS;
    exponent += (exponent == 0) - 1075;
    if (isnan(value) || isinf(value)) {
        spec->zero = false;
        put_filled(s, spec, isnan(value) ? "nan" : "inf", 3);
        return;
    }
    struct decimal d;
    decimal_of(&d, mantissa, exponent);
    if (kind == 'a') {
        end = hex_text(end, mantissa, mantissa ? exponent + 52 : 0);
    } else if (kind == 'f') {
        round_to(&d, d.point + decimals);
        end = fixed_text(end, &d, decimals, false);
    } else {
        if (!decimals) decimals = 1;
        round_to(&d, decimals);
        int power = d.count ? d.point - 1 : 0;
        if (!d.count) d.point = 1;
        if (power >= -4 && power < decimals) {
            end = fixed_text(end, &d, decimals - 1 - power, true);
        } else {
            d.point = 1;
            end = exponent_text(fixed_text(end, &d, decimals - 1, true), 'e', power, 2);
        }
    }
    put_filled(s, spec, text, (int)(end - text));
}

static int number_in(const char **at, va_list *args) {
    int n = 0;
    if (**at == '*') return ++*at, va_arg(*args, int);
    while (isdigit((unsigned char)**at))
        n = n * 10 + (*(*at)++ - '0');
    return n;
}

// What stands behind the %, whose end it gives.
static const char *put_argument(struct sink *s, const char *at, va_list *args) {
    struct spec spec = {.precision = -1};
    for (; *at == '0' || *at == '+'; at++)
        *(*at == '0' ? &spec.zero : &spec.plus) = true;
    spec.width = number_in(&at, args);
    if (*at == '.') spec.precision = (at++, number_in(&at, args));
    bool is_long = strncmp(at, "ll", 2) == 0, is_size = *at == 'z';
    at += is_long ? 2 : is_size;
    char kind = *at++, c, digits[24], *end = digits + sizeof digits, *from;
    uint64_t value;
    const char *text;
    switch (kind) {
    case 's':
        text = va_arg(*args, const char *);
        if (!text) text = "(null)";
        put_filled(s, &spec, text, (int)(spec.precision < 0 ? strlen(text) : strnlen(text, (size_t)spec.precision)));
        break;
    case 'c':
        c = (char)va_arg(*args, int);
        put_filled(s, &spec, &c, 1);
        break;
    case 'd':
    case 'u':
    case 'x':
        if (is_long || is_size)
            value = is_long ? va_arg(*args, unsigned long long) : va_arg(*args, size_t);
        else
            value = kind == 'd' ? (uint64_t)va_arg(*args, int) : va_arg(*args, unsigned);
        spec.numeric = kind == 'd';
        spec.negative = spec.numeric && (int64_t)value < 0;
        from = whole_text(end, spec.negative ? -value : value, kind == 'x' ? 16 : 10);
        put_filled(s, &spec, from, (int)(end - from));
        break;
    case 'a':
    case 'f':
    case 'g':
        spec.numeric = true;
        put_float(s, &spec, va_arg(*args, double), kind);
        break;
    default: put(s, kind); break; // %%
    }
    return at;
}

int vsnprintf(char *restrict out, size_t size, const char *restrict format, va_list args) {
    struct sink s = {out, size ? size - 1 : 0, 0};
    va_list rest;
    va_copy(rest, args);
    while (*format)
        if (*format == '%')
            format = put_argument(&s, format + 1, &rest);
        else
            put(&s, *format++);
    va_end(rest);
    if (size) out[s.size < s.room ? s.size : s.room] = 0;
    return (int)s.size;
}

int snprintf(char *restrict out, size_t size, const char *restrict format, ...) {
    va_list args;
    va_start(args, format);
    int all = vsnprintf(out, size, format, args);
    va_end(args);
    return all;
}

// ---- reading floats -------------------------------------------------------------------------------------------------

// Of a type of floats: the bits of its mantissa, and the exponent of what is least. Its positive values in order are the
// numbers 0, 1, 2 and so on, up to that of infinity.
struct type {
    int bits, least;
    uint64_t infinity;
};

static int compare(const struct decimal *a, const struct decimal *b) {
    if (!a->count || !b->count) return (a->count > 0) - (b->count > 0);
    if (a->point != b->point) return a->point < b->point ? -1 : 1;
    for (int i = 0; i < a->count || i < b->count; i++)
        if (digit(a, i) != digit(b, i)) return digit(a, i) < digit(b, i) ? -1 : 1;
    return 0;
}

// Rounds to that number or to one below: half way to the next lies more, or as much and the number is even.
static bool is_below(const struct type *t, uint64_t number, const struct decimal *d) {
    uint64_t one = 1ull << (t->bits - 1), mantissa = number % one;
    int exponent = (int)(number / one);
    struct decimal middle;
    if (exponent) mantissa += one;
    decimal_of(&middle, 2 * mantissa + 1, exponent - (exponent > 0) + t->least - 1);
    int order = compare(d, &middle);
    return order < 0 || (order == 0 && number % 2 == 0);
}

// From what lies some steps away.
static double nearest(const struct type *t, const struct decimal *d) {
    double value = 0, power = 10;
    float narrow;
    uint64_t number = 0;
    uint32_t narrow_bits;
    if (d->point > 400 || d->point < -400) return d->point > 0 ? (double)INFINITY : 0;
    for (int i = 0; i < 17; i++)
        value = value * 10 + (digit(d, i) - '0');
    for (unsigned n = (unsigned)abs(d->point - 17); n; n /= 2, power *= power)
        if (n % 2) value = d->point > 17 ? value * power : value / power;
    narrow = (float)value;
    memcpy(&number, &value, sizeof number);
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    if (t->bits == 24) number = narrow_bits;
    if (number >= t->infinity) number = t->infinity - 1;
    while (number < t->infinity && !is_below(t, number, d))
        number++;
    while (number && is_below(t, number - 1, d))
        number--;
    narrow_bits = (uint32_t)number;
    memcpy(&value, &number, sizeof value);
    memcpy(&narrow, &narrow_bits, sizeof narrow);
    return t->bits == 24 ? (double)narrow : value;
}

// mantissa * 2^exponent, in one rounding.
static double nearest_binary(const struct type *t, uint64_t mantissa, int exponent) {
    int drop = -t->bits;
    for (uint64_t m = mantissa; m; m /= 2)
        drop++;
    if (exponent + drop < t->least) drop = t->least - exponent;
    if (drop > 62) return 0;
    if (drop > 0) {
        uint64_t half = 1ull << (drop - 1), rest = mantissa % (2 * half);
        mantissa >>= drop;
        mantissa += rest > half || (rest == half && mantissa % 2);
        exponent += drop;
    }
    return ldexp((double)mantissa, exponent);
}

static int exponent_at(const char **at, char letter) {
    const char *p = *at;
    int exponent = 0;
    if (tolower((unsigned char)*p) != letter) return 0;
    p++;
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    if (!isdigit((unsigned char)*p)) return 0;
    for (; isdigit((unsigned char)*p); p++)
        if (exponent < 100000) exponent = exponent * 10 + (*p - '0');
    *at = p;
    return negative ? -exponent : exponent;
}

// Digits with a point among them: decimals to `d`, others to mantissa * 2^exponent. False: there are none.
static bool read_digits(const char **at, bool hex, struct decimal *d, uint64_t *mantissa, int *exponent) {
    bool any = false, behind = false;
    for (;; ++*at) {
        char c = (char)tolower((unsigned char)**at);
        if (c == '.' && !behind) {
            behind = true;
            continue;
        }
        if (hex ? !isxdigit((unsigned char)c) : !isdigit((unsigned char)c)) break;
        any = true;
        uint64_t worth = (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        if (hex) { // the last bit stays set once one was
            bool full = *mantissa >> 58;
            *mantissa = full ? *mantissa | (worth != 0) : *mantissa * 16 + worth;
            *exponent += (full ? 4 : 0) - (behind ? 4 : 0);
            continue;
        }
        if (!behind && (d->count || worth)) d->point++;
        if (behind && !d->count && !worth) d->point--;
        if (!d->count && !worth) continue;
        if (d->count < MOST_DIGITS)
            d->digits[d->count++] = c;
        else if (worth)
            d->digits[MOST_DIGITS - 1] = '1';
    }
    return any;
}

static double read_float(const struct type *t, const char *text, char **end) {
    const char *at = text;
    while (isspace((unsigned char)*at))
        at++;
    bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    struct decimal d = {.count = 0};
    uint64_t mantissa = 0;
    int exponent = 0;
    double value = 0;
    bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && isxdigit((unsigned char)at[2 + (at[2] == '.')]);
    if (hex) at += 2;
    if (strncasecmp(at, "nan", 3) == 0 || strncasecmp(at, "inf", 3) == 0) {
        value = tolower((unsigned char)*at) == 'n' ? (double)NAN : (double)INFINITY;
        at += strncasecmp(at, "infinity", 8) == 0 ? 8 : 3;
    } else if (!read_digits(&at, hex, &d, &mantissa, &exponent)) {
        at = text;
        negative = false;
    } else if (hex) {
        exponent += exponent_at(&at, 'p');
        value = nearest_binary(t, mantissa, exponent);
    } else {
        d.point += exponent_at(&at, 'e');
        if (d.count) value = nearest(t, &d);
    }
    if (end) *end = (char *)at;
    return negative ? -value : value;
}

double strtod(const char *restrict text, char **restrict end) {
    static const struct type type = {53, -1074, 0x7ffull << 52};
    return read_float(&type, text, end);
}

float strtof(const char *restrict text, char **restrict end) {
    static const struct type type = {24, -149, 0xffull << 23};
    return (float)read_float(&type, text, end);
}

// ---- reading integers -----------------------------------------------------------------------------------------------

static uint64_t read_integer(const char *text, char **end, int base, uint64_t most, bool is_signed) {
    const char *at = text;
    while (isspace((unsigned char)*at))
        at++;
    bool negative = *at == '-', any = false, over = false;
    at += *at == '-' || *at == '+';
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && isxdigit((unsigned char)at[2])) {
        at += 2;
        base = 16;
    }
    if (base == 0) base = *at == '0' ? 8 : 10;
    if (is_signed && negative) most++;
    uint64_t value = 0;
    for (;; at++, any = true) {
        int c = tolower((unsigned char)*at), worth = isdigit(c) ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : base;
        if (worth >= base) break;
        over |= value > (most - (uint64_t)worth) / (uint64_t)base;
        value = value * (uint64_t)base + (uint64_t)worth;
    }
    if (end) *end = (char *)(any ? at : text);
    if (over) errno = ERANGE;
    if (over) return is_signed && negative ? -most : most;
    return negative ? -value : value;
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
    return read_integer(text, end, base, ULLONG_MAX, false);
}
long long strtoll(const char *restrict text, char **restrict end, int base) {
    return (long long)read_integer(text, end, base, LLONG_MAX, true);
}
unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
    return (unsigned long)read_integer(text, end, base, ULONG_MAX, false);
}
#endif
