// The value and type of constants, from their spelling.
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "front/text/token.h"

// ---- numbers --------------------------------------------------------------------------------------------------------
static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

// u, l, ll in either order and case, but not lL; i and j of GNU C.
static bool integer_suffix(const char *p, bool *out_unsigned, int *out_longs, bool *out_imaginary) {
    *out_unsigned = *out_imaginary = false;
    *out_longs = 0;
    while (*p) {
        if (((*p | 32) == 'i' || (*p | 32) == 'j') && !*out_imaginary) {
            *out_imaginary = true;
            p++;
        } else if ((*p == 'u' || *p == 'U') && !*out_unsigned) {
            *out_unsigned = true;
            p++;
        } else if ((*p == 'l' || *p == 'L') && !*out_longs) {
            *out_longs = p[1] == p[0] ? 2 : 1;
            p += *out_longs;
        } else {
            return false;
        }
    }
    return true;
}

// The first type of C11 6.4.4.1's list that holds the value.
static enum front_number_type integer_type(uint64_t value, bool decimal, bool is_unsigned, int longs) {
    if (longs == 0) {
        if (!is_unsigned && value <= INT32_MAX) return FRONT_NUM_INT;
        if ((is_unsigned || !decimal) && value <= UINT32_MAX) return FRONT_NUM_UINT;
    }
    bool takes_sign = !is_unsigned && (value <= INT64_MAX);
    if (longs < 2) return takes_sign ? FRONT_NUM_LONG : FRONT_NUM_ULONG;
    return takes_sign ? FRONT_NUM_LLONG : FRONT_NUM_ULLONG;
}

static bool parse_integer(struct base_cx *cx, const struct front_token *token, struct front_number *out) {
    const char *p = token->text;
    unsigned base = 10;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        base = 16;
    else if (p[0] == '0' && (p[1] == 'b' || p[1] == 'B'))
        base = 2;
    else if (p[0] == '0')
        base = 8;
    p += base == 16 || base == 2 ? 2 : 0;
    const char *first = p;
    uint64_t value = 0;
    bool too_large = false;
    for (int digit; (digit = digit_value(*p)) < (base == 16 ? 16 : 10); p++) {
        if ((unsigned)digit >= base) {
            base_error(cx, token->loc, "the digit '%c' in %s constant '%s'", *p, base == 8 ? "the octal" : "the binary",
                       token->text);
            return false;
        }
        too_large |= value > (UINT64_MAX - (unsigned)digit) / base;
        value = value * base + (unsigned)digit;
    }
    bool is_unsigned;
    int longs;
    if (p == first || !integer_suffix(p, &is_unsigned, &longs, &out->is_imaginary)) {
        base_error(cx, token->loc, p == first ? "'%s' has no digits" : "'%s' is no integer constant: unknown suffix",
                   token->text);
        return false;
    }
    if (too_large) {
        base_error(cx, token->loc, "the integer constant '%s' does not fit in 64 bits", token->text);
        return false;
    }
    if (base == 10 && !is_unsigned && value > INT64_MAX)
        base_warn(cx, token->loc, "the integer constant '%s' is so large that it is unsigned", token->text);
    out->integer = value;
    out->type = integer_type(value, base == 10, is_unsigned, longs);
    return true;
}

static const char *skip_digits(const char *p, bool hex, bool *any) {
    for (; digit_value(*p) < (hex ? 16 : 10); p++)
        *any = true;
    return p;
}

// Returns the suffix, or NULL if what is before it is no floating constant.
static const char *float_body(const char *p) {
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X'), any = false, any_exponent = false;
    p = skip_digits(p + (hex ? 2 : 0), hex, &any);
    if (*p == '.') p = skip_digits(p + 1, hex, &any);
    if (!any) return NULL;
    if ((*p | 32) == (hex ? 'p' : 'e')) {
        p++;
        if (*p == '+' || *p == '-') p++;
        p = skip_digits(p, false, &any_exponent);
        return any_exponent ? p : NULL;
    }
    return hex ? NULL : p;
}

// strtod reads the decimal point of the process's locale.
static const char *with_local_point(struct base_cx *cx, const char *text) {
    const char *point = localeconv()->decimal_point, *dot = strchr(text, '.');
    if (!dot || strcmp(point, ".") == 0) return text;
    return base_format(cx, "%.*s%s%s", (int)(dot - text), text, point, dot + 1);
}

static bool parse_float(struct base_cx *cx, const struct front_token *token, struct front_number *out) {
    const char *suffix = float_body(token->text);
    if (!suffix) {
        base_error(cx, token->loc, "'%s' is no floating constant", token->text);
        return false;
    }
    bool is_f = false, is_l = false;
    const char *end = suffix;
    for (; *end; end++) { // i and j of GNU C stand on either side
        char letter = (char)(*end | 32);
        if (letter == 'f' && !is_f && !is_l)
            is_f = true;
        else if (letter == 'l' && !is_f && !is_l)
            is_l = true;
        else if ((letter == 'i' || letter == 'j') && !out->is_imaginary)
            out->is_imaginary = true;
        else
            break;
    }
    if (*end) {
        base_error(cx, token->loc, "unknown suffix '%s' of the floating constant", suffix);
        return false;
    }
    const char *text = with_local_point(cx, token->text);
    out->real = is_f ? (double)strtof(text, NULL) : strtod(text, NULL);
    out->type = is_f ? FRONT_NUM_FLOAT : is_l ? FRONT_NUM_LDOUBLE : FRONT_NUM_DOUBLE;
    out->suffixed = is_f || is_l;
    if (out->real - out->real != 0)
        base_warn(cx, token->loc, "the floating constant '%s' is too large and becomes infinity", token->text);
    return true;
}

bool front_parse_number(struct base_cx *cx, const struct front_token *token, struct front_number *out) {
    *out = (struct front_number){.type = FRONT_NUM_INT};
    bool ok = token->kind == FRONT_TOK_FLOAT ? parse_float(cx, token, out) : parse_integer(cx, token, out);
    if (!ok) *out = (struct front_number){.type = FRONT_NUM_INT};
    return ok;
}

// ---- characters -----------------------------------------------------------------------------------------------------
struct character {
    uint32_t value;
    bool is_code_point; // \u, \U: written as UTF-8
};

static bool parse_hex(const char **p, unsigned min, unsigned max, uint64_t *out) {
    unsigned count = 0;
    *out = 0;
    for (; count < max && digit_value(**p) < 16; count++, (*p)++)
        *out = *out > UINT32_MAX ? *out : *out * 16 + (unsigned)digit_value(**p);
    return count >= min;
}

// *p stands behind the backslash.
static bool parse_escape(struct base_cx *cx, const struct front_token *token, const char **p, uint32_t largest,
                         struct character *out) {
    static const char names[] = "abfnrtve?\\'\"", values[] = "\a\b\f\n\r\t\v\033?\\'\"";
    char c = *(*p)++;
    uint64_t value = 0;
    const char *name = c ? strchr(names, c) : NULL;
    *out = (struct character){0, false};
    if (name) {
        out->value = (unsigned char)values[name - names];
        return true;
    }
    if (c >= '0' && c <= '7') {
        value = (uint64_t)(c - '0');
        for (int i = 0; i < 2 && **p >= '0' && **p <= '7'; i++)
            value = value * 8 + (uint64_t)(*(*p)++ - '0');
    } else if (c == 'x') {
        if (!parse_hex(p, 1, 1000000, &value)) {
            base_error(cx, token->loc, "\\x without hexadecimal digits");
            return false;
        }
    } else if (c == 'u' || c == 'U') {
        unsigned digits = c == 'u' ? 4 : 8;
        if (!parse_hex(p, digits, digits, &value) || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
            base_error(cx, token->loc, "\\%c needs %u hexadecimal digits that name a character", c, digits);
            return false;
        }
        out->is_code_point = true;
        out->value = (uint32_t)value;
        return true;
    } else {
        base_error(cx, token->loc, "unknown escape sequence '\\%c'", c);
        return false;
    }
    if (value > largest) {
        base_error(cx, token->loc, "the escape sequence is out of range");
        return false;
    }
    out->value = (uint32_t)value;
    return true;
}

static unsigned put_utf8(char *to, uint32_t c) {
    if (c < 0x80) return to[0] = (char)c, 1;
    if (c < 0x800) return to[0] = (char)(0xc0 | c >> 6), to[1] = (char)(0x80 | (c & 63)), 2;
    if (c < 0x10000)
        return to[0] = (char)(0xe0 | c >> 12), to[1] = (char)(0x80 | (c >> 6 & 63)), to[2] = (char)(0x80 | (c & 63)), 3;
    return to[0] = (char)(0xf0 | c >> 18), to[1] = (char)(0x80 | (c >> 12 & 63)), to[2] = (char)(0x80 | (c >> 6 & 63)),
           to[3] = (char)(0x80 | (c & 63)), 4;
}

// One UTF-8 sequence; a byte that starts none is itself.
static uint32_t get_utf8(const char **p, const char *end) {
    unsigned char lead = (unsigned char)*(*p)++;
    int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    uint32_t value = more == 3 ? lead & 7u : more == 2 ? lead & 15u : more == 1 ? lead & 31u : lead;
    for (; more > 0 && *p < end && ((unsigned char)**p & 0xc0) == 0x80; more--)
        value = value << 6 | ((unsigned char)*(*p)++ & 63u);
    return value;
}

bool front_parse_char(struct base_cx *cx, const struct front_token *token, int32_t *out) {
    const char *p = token->text, *end = p + token->len - 1;
    char prefix = *p == '\'' ? 0 : *p;
    uint32_t value = 0, count = 0;
    *out = 0;
    for (p += prefix ? 2 : 1; p < end; count++) {
        struct character c = {0, false};
        if (*p == '\\') {
            p++;
            if (!parse_escape(cx, token, &p, prefix == 0 ? 255 : prefix == 'u' ? 65535 : UINT32_MAX, &c)) return false;
        } else {
            c.value = prefix ? get_utf8(&p, end) : (unsigned char)*p++;
        }
        if (prefix) {
            value = c.value;
            continue;
        }
        char bytes[4];
        unsigned size = c.is_code_point ? put_utf8(bytes, c.value) : (bytes[0] = (char)c.value, 1);
        for (unsigned i = 0; i < size; i++)
            value = value << 8 | (unsigned char)bytes[i];
        count += size - 1;
    }
    if (count == 0 || (count > 1 && prefix)) {
        base_error(cx, token->loc, count ? "more than one character in the constant" : "an empty character constant");
        return false;
    }
    if (count > 4) {
        base_error(cx, token->loc, "the character constant is too long for its type");
        return false;
    }
    if (count > 1) base_warn(cx, token->loc, "a character constant of several characters");
    *out = count == 1 && !prefix ? (int32_t)(int8_t)value : (int32_t)value;
    return true;
}

bool front_parse_string(struct base_cx *cx, const struct front_token *token, const char **out_bytes, size_t *out_size) {
    const char *p = token->text, *end = p + token->len - 1;
    *out_bytes = "";
    *out_size = 0;
    if (*p == 'u' && p[1] == '8') p += 2;
    if (*p != '"') {
        base_error(cx, token->loc, "wide strings are not supported; drop the '%c'", *p);
        return false;
    }
    char *bytes = base_alloc(cx, (size_t)token->len + 1), *to = bytes;
    for (p++; p < end;) {
        struct character c;
        if (*p != '\\') {
            *to++ = *p++;
            continue;
        }
        p++;
        if (!parse_escape(cx, token, &p, 255, &c)) return false;
        if (c.is_code_point)
            to += put_utf8(to, c.value);
        else
            *to++ = (char)c.value;
    }
    *out_bytes = bytes;
    *out_size = (size_t)(to - bytes);
    return true;
}
