// frames.c - draws how a two-link arm swings up: a few moments side by side, with characters.
//
//     frames LINKS.npy ROW COLUMNS SECONDS_A_STEP
//
// LINKS is float32 [arms][steps][4] as programs/sims/acrobot_swing.c writes it: x and y of the joint and of the tip,
// seen from the fixed point, links of length 1. The moments are those at which the tip of arm ROW first reaches heights
// that are evenly spaced from the lowest to the top of its first visit above the line, which is at height 1: so the
// pictures climb. Braille dots in a UTF-8 locale, letters in others; colours on a terminal unless NO_COLOR is set.
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDE = 15, TALL = 8, GAP = 1, MOST_FRAMES = 8, MOST_CELLS = MOST_FRAMES * (WIDE + GAP) };
enum part { NOTHING, LINE, SECOND, FIRST, FIXED, TIP }; // a character has the colour of the last of its parts

struct links {
    float (*at)[4]; // of one arm
    size_t steps;
};

struct cell {
    unsigned char dots, part;
    char letter;
};

static struct cell picture[TALL][MOST_CELLS];

// ---- the file ----

// The arm's rows of a version 1 file; false, with a message on stderr, for any other.
static bool read_links(const char *path, size_t row, struct links *out) {
    unsigned char start[10];
    char head[512] = "";
    unsigned long long arms = 0, steps = 0;
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    bool ok = fread(start, 1, sizeof start, file) == sizeof start && memcmp(start, "\x93NUMPY\x01", 7) == 0;
    size_t size = ok ? (size_t)start[8] + 256u * start[9] : 0;
    ok = ok && size < sizeof head && fread(head, 1, size, file) == size && strstr(head, "'<f4'");
    const char *shape = ok ? strstr(head, "'shape': (") : NULL;
    ok = shape && sscanf(shape, "'shape': (%llu, %llu, 4)", &arms, &steps) == 2 && row < arms && steps > 0 &&
         steps < 1000000;
    size_t bytes = (size_t)steps * sizeof *out->at;
    ok = ok && fseek(file, (long)(row * bytes), SEEK_CUR) == 0 && (out->at = malloc(bytes)) != NULL &&
         fread(out->at, 1, bytes, file) == bytes;
    for (size_t i = 0; ok && i < steps; i++)
        for (int k = 0; k < 4; k++)
            ok = ok && fabsf(out->at[i][k]) <= 2.001f; // not so for NaN
    fclose(file);
    out->steps = (size_t)steps;
    if (!ok) fprintf(stderr, "frames: %s: places of two links, float32 [arms][steps][4], are needed\n", path);
    return ok;
}

// ---- drawing ----

static void put(int left, int column, int row, enum part part, unsigned dots, char letter) {
    if (column < 0 || column >= WIDE || row < 0 || row >= TALL) return;
    struct cell *c = &picture[row][left + column];
    c->dots |= (unsigned char)dots;
    if (part < (enum part)c->part) return;
    c->part = (unsigned char)part;
    c->letter = letter;
}

// A dot of a frame; its 2 x 4 dots a character are square.
static void put_dot(int left, double x, double y, enum part part, char letter) {
    static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const double scale = (TALL * 4 - 1) / 4.0; // heights from -2 to 2
    int dot_x = (int)lround(WIDE - 0.5 + x * scale), dot_y = (int)lround((2.0 - y) * scale);
    if (dot_x < 0 || dot_y < 0) return;
    put(left, dot_x / 2, dot_y / 4, part, part >= FIXED ? 0 : bits[dot_y % 4][dot_x % 2], letter);
}

static char slope_letter(double dx, double dy) {
    if (fabs(dy) > 2.4 * fabs(dx)) return '|';
    if (fabs(dx) > 2.4 * fabs(dy)) return '-';
    return dx * dy > 0 ? '/' : '\\';
}

static void put_link(int left, double x0, double y0, double x1, double y1, enum part part) {
    for (int i = 0; i <= 40; i++)
        put_dot(left, x0 + (x1 - x0) * i / 40, y0 + (y1 - y0) * i / 40, part, slope_letter(x1 - x0, y1 - y0));
}

static void put_frame(int left, const float place[4]) {
    for (int i = 0; i < WIDE; i++)
        put_dot(left, (i * 2 - WIDE + 0.5) * 4 / (TALL * 4 - 1), 1, LINE, '.');
    double x = (double)place[0], y = (double)place[1], tip_x = (double)place[2], tip_y = (double)place[3];
    put_link(left, 0, 0, x, y, FIRST);
    put_link(left, x, y, tip_x, tip_y, SECOND);
    put_dot(left, 0, 0, FIXED, '+');
    put_dot(left, tip_x, tip_y, TIP, 'o');
}

static void print_cell(const struct cell *c, bool utf8, bool colour) {
    static const char *const colours[] = {
        [LINE] = "\033[2m", [FIRST] = "\033[34m", [SECOND] = "\033[32m", [FIXED] = "\033[1m", [TIP] = "\033[1;32m"};
    if (c->part == NOTHING) {
        putchar(' ');
        return;
    }
    if (colour) fputs(colours[c->part], stdout);
    if (utf8 && c->part == TIP)
        fputs("●", stdout);
    else if (utf8 && c->part < FIXED)
        printf("\xE2%c%c", 0xA0 | c->dots >> 6, 0x80 | (c->dots & 0x3F));
    else
        putchar(c->letter);
    if (colour) fputs("\033[0m", stdout);
}

// ---- which moments ----

// Fills steps that are different and ascend; returns how many.
static int choose_moments(const struct links *l, int wanted, size_t out_steps[MOST_FRAMES]) {
    float low = l->at[0][3], high = l->at[0][3];
    for (size_t i = 1; i < l->steps && !(high > 1 && l->at[i][3] <= 1); i++) {
        low = fminf(low, l->at[i][3]);
        high = fmaxf(high, l->at[i][3]);
    }
    int count = 0;
    for (int k = 0; k < wanted; k++) {
        float level = k == 0 ? low - 1 : k == wanted - 1 ? high : low + (high - low) * (float)k / (float)(wanted - 1);
        size_t i = 0;
        while (l->at[i][3] < level)
            i++;
        if (count == 0 || i > out_steps[count - 1]) out_steps[count++] = i;
    }
    return count;
}

int main(int argc, char **argv) {
    struct links links = {0};
    size_t moments[MOST_FRAMES];
    setlocale(LC_CTYPE, "");
    if (argc != 5) {
        fprintf(stderr, "usage: frames LINKS.npy ROW COLUMNS SECONDS_A_STEP\n");
        return 2;
    }
    if (!read_links(argv[1], strtoul(argv[2], NULL, 10), &links)) {
        free(links.at);
        return 1;
    }
    int fit = (atoi(argv[3]) + GAP) / (WIDE + GAP);
    int count = choose_moments(&links, fit < 2 ? 2 : fit < MOST_FRAMES ? fit : MOST_FRAMES, moments);
    for (int k = 0; k < count; k++)
        put_frame(k * (WIDE + GAP), links.at[moments[k]]);

    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    bool colour = isatty(STDOUT_FILENO) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
    for (int y = 0; y < TALL; y++) {
        int last = count * (WIDE + GAP) - GAP;
        while (last > 0 && picture[y][last - 1].part == NOTHING)
            last--;
        for (int x = 0; x < last; x++)
            print_cell(&picture[y][x], utf8, colour);
        putchar('\n');
    }
    for (int k = 0; k < count; k++) {
        char text[32];
        int size = snprintf(text, sizeof text, "%.1f s", (double)(moments[k] + 1) * atof(argv[4]));
        int before = (WIDE - size) / 2 + (k ? GAP : 0);
        printf("%*s%s%*s", before, "", text, k + 1 < count ? WIDE - size - (WIDE - size) / 2 : 0, "");
    }
    putchar('\n');
    free(links.at);
    return 0;
}
