// Texts at which an answer ends: nothing of them is given away, whatever the pieces are in which a text comes.
#include "check.h"
#include "serve/stops.h"

static struct stops s;
static char given[100];
static bool found;

// Gives `text` in pieces of `step` bytes.
static const char *give(const char *text, size_t step) {
    size_t from = 0, size = strlen(text);
    found = false;
    for (size_t at = 0; at < size && !found;) {
        at = at + step < size ? at + step : size;
        from = stops_look(&s, text, from, at, &found);
    }
    memcpy(given, text, from);
    given[from] = 0;
    return given;
}

TEST(in_any_pieces) {
    s = (struct stops){{"END", "\n\n", "aab"}, 3};
    for (size_t step = 1; step < 20; step++) {
        CHECK_EQ_STR("some text ", give("some text END and more", step));
        CHECK(found);
        CHECK_EQ_STR("E EN\nx", give("E EN\nx\n\n", step));
        CHECK(found);
        CHECK_EQ_STR("a", give("aaab", step)); // a beginning that fails may hold another
        CHECK(found);
        CHECK_EQ_STR("none of these", give("none of these", step));
        CHECK(!found);
    }
}

TEST(a_beginning_waits) {
    s = (struct stops){{"END"}, 1};
    CHECK_EQ_STR("so ", give("so EN", 5));
    CHECK(!found);
    s.count = 0;
    CHECK_EQ_STR("so EN", give("so EN", 5));
}
