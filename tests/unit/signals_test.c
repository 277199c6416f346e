// signals_test.c - tools/signals.c: no signal knows a later price, the definitions hold, bad tables are refused by
// name.
//
//   cc -std=c11 -O2 -Itests tests/unit/signals_test.c -lm -o build/signals_test && build/signals_test
#define SIGNALS_WITHOUT_MAIN
#include "../../tools/signals.c"
#include "check.h"

enum { ROWS = ROWS_NEEDED + 40, WIDTH = 18 };

static double table[ROWS][WIDTH];
static float before[DAYS][COLUMNS], after[DAYS][COLUMNS];

static void expect(bool holds, const char *what) {
    if (!holds) FAIL("%s", what);
}

// Prices that wander by up to 2% a day; any generator does.
static void fill_table(void) {
    uint32_t state = 12345;
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < WIDTH; s++) {
            state = state * 1664525u + 1013904223u;
            table[r][s] = r == 0 ? 10.0 + s : table[r - 1][s] * (0.98 + 0.04 * (state >> 8) * 0x1p-24);
        }
}

// The table as CSV; the caller frees it.
static char *print_table(size_t *out_size) {
    size_t capacity = (size_t)(ROWS + 1) * (WIDTH + 1) * 16, at = 0;
    char *text = malloc(capacity);
    if (!text) abort();
    at += (size_t)sprintf(text + at, "Date");
    for (int s = 0; s < WIDTH; s++)
        at += (size_t)sprintf(text + at, ",S%d", s);
    for (int r = 0; r < ROWS; r++) {
        at += (size_t)sprintf(text + at, "\n%04d-%02d-%02d", 2000 + r / 336, r / 28 % 12 + 1, r % 28 + 1);
        for (int s = 0; s < WIDTH; s++)
            at += (size_t)sprintf(text + at, ",%.8g", table[r][s]);
    }
    text[at++] = '\n';
    text[at] = 0;
    *out_size = at;
    return text;
}

static void signals_of_table(float out_signals[DAYS][COLUMNS]) {
    size_t size;
    char *text = print_table(&size);
    struct prices prices;
    struct problem problem = {""};
    bool good = read_prices(text, size, &prices, &problem);
    expect(good, good ? "" : problem.text);
    if (good) make_signals(&prices, out_signals);
    free(prices.row);
    free(text);
}

// A price of row r is known at the end of day r. What a policy sees of day t (s0..s19) must not change for any t <= r,
// the day's return (s20..s35) not for any t < r; later rows must, or the test sees nothing.
TEST(no_signal_knows_the_future) {
    fill_table();
    static const int days[] = {0, 1, 19, 20, 21, 59, 60, 61, 700, 1438, 1479, 1498, 1499};
    signals_of_table(before);
    for (size_t k = 0; k < sizeof days / sizeof days[0]; k++) {
        int changed_day = days[k], row = ROWS - DAYS + changed_day;
        double kept[WIDTH];
        memcpy(kept, table[row], sizeof kept);
        for (int s = 0; s < WIDTH; s++)
            table[row][s] *= 1.5;
        signals_of_table(after);
        memcpy(table[row], kept, sizeof kept);
        bool causal = true;
        for (int t = 0; t <= changed_day; t++)
            causal &= !memcmp(before[t], after[t], (t < changed_day ? COLUMNS : 4 + SERIES) * sizeof(float));
        expect(causal, "a later price changed an earlier signal");
        expect(memcmp(&before[changed_day][4 + SERIES], &after[changed_day][4 + SERIES], SERIES * sizeof(float)) != 0,
               "a changed price changes its day's return");
        if (changed_day + 1 < DAYS)
            expect(memcmp(before[changed_day + 1], after[changed_day + 1], 4 * sizeof(float)) != 0,
                   "a changed price is seen the day after");
    }
}

TEST(definitions) {
    fill_table();
    signals_of_table(before);
    bool right = true, some_cut = false;
    for (int t = 0; t < DAYS; t++) {
        int today = ROWS - DAYS + t;
        double one = 0, sixty = 0;
        for (int s = 0; s < SERIES; s++) {
            double trend = table[today - 1][s] / table[today - 21][s] - 1;
            some_cut |= trend < -0.01;
            right &= fabs(before[t][4 + s] - (trend > 0 ? trend : 0)) < 1e-6;
            right &= fabs(before[t][20 + s] - (table[today][s] / table[today - 1][s] - 1)) < 1e-6;
            one += (table[today - 1][s] / table[today - 2][s] - 1) / SERIES;
            for (int back = 1; back <= 60; back++)
                sixty += (table[today - back][s] / table[today - back - 1][s] - 1) / (60 * SERIES);
        }
        right &= fabs(before[t][0] - one) < 1e-6 && fabs(before[t][3] - sixty) < 1e-6;
    }
    expect(right, "the signals are what their definition says");
    expect(some_cut, "the table has falling trends to cut at 0");
}

// Replaces the first `old` in the table's text by `new` and expects the message.
static void expect_refused(const char *old, const char *new, const char *message) {
    size_t size;
    char *text = print_table(&size), *place = strstr(text, old);
    struct prices prices = {0};
    struct problem problem = {""};
    if (!place || strlen(new) > strlen(old)) abort();
    memmove(place + strlen(new), place + strlen(old), size - (size_t)(place - text) - strlen(old) + 1);
    memcpy(place, new, strlen(new));
    bool good = read_prices(text, size - strlen(old) + strlen(new), &prices, &problem);
    free(prices.row);
    free(text);
    if (good || !strstr(problem.text, message))
        FAIL("'%s' for '%s' gave '%s', not '%s'", new, old, good ? "no error" : problem.text, message);
}

static void expect_text_refused(const char *text, size_t size, const char *message) {
    struct prices prices = {0};
    struct problem problem = {""};
    expect(!read_prices(text, size, &prices, &problem) && strstr(problem.text, message), message);
    free(prices.row);
}

TEST(bad_tables) {
    fill_table();
    expect_text_refused("", 0, "0 rows");
    expect_text_refused("Date,A,B\n2000-01-01,1,2\n", 24, "the heading has 3 fields");
    expect_text_refused("D\0te", 4, "zero byte");
    expect_refused("2000-01-02", "02.01.2000", "line 3: the first field is no date");
    expect_refused("2000-01-02", "2000-01-01", "line 3: the date is not after");
    expect_refused("\n2000-01-02", "\n\n000-01-02", "line 3: the first field is no date");
    expect_refused("2000-01-01,10,11", "2000-01-01,,11", "line 2, field 2");
    expect_refused("2000-01-01,10,11", "2000-01-01,10,-1", "line 2, field 3");
    expect_refused("2000-01-01,10,11", "2000-01-01,0,11", "line 2, field 2");
    expect_refused("2000-01-01,10,11", "2000-01-01,1e999", "line 2, field 2");
    expect_refused("2000-01-01,10,11", "2000-01-01,nan", "line 2, field 2");
    expect_refused("2000-01-01,10,11", "2000-01-01,0x1,1", "line 2, field 2");
    expect_refused("2000-01-01,10,11", "2000-01-01,1 0,1", "line 2, field 2");
    expect_refused("2000-01-01,10,11", "2000-01-01,10", "line 2: 18 fields, the heading has 19");
}
