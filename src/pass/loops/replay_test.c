// Which sequential loops become an iteration for each element that they store.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                                \
    "unit f\n"                              \
    "in i32 count.1[256]\n"                 \
    "inout i32 below.2[256]\n"              \
    "inout i32 other.3[256]\n"              \
    "dim i32 one.1\n"                       \
    "local i32 before.2, now.3, b.4, k.5\n" \
    "{\n"
#define FRONT "        below.2[0] = count.1[0]\n        before.2 = below.2[1 - 1]\n"
#define PASS(statements) "            now.3 = before.2 + count.1[b.4]\n" statements "            before.2 = now.3\n"

static const char *text_of(const char *iterations, const char *front, const char *range, const char *body) {
    static char text[2000];
    snprintf(text, sizeof text, HEAD "    parfor one.1 in 0 .. %s {\n%s        for b.4 = %s {\n%s        }\n    }\n}\n",
             iterations, front, range, body);
    return text;
}
static const char *replayed(const char *front, const char *range, const char *body) {
    return after(pass_replay, text_of("1", front, range, body));
}
static bool stays(const char *front, const char *range, const char *body) {
    return strstr(replayed(front, range, body), "parfor one.1 in 0 .. 1 {") != NULL;
}

TEST(prefix_sums) {
    CHECK_EQ_STR("{\n"
                 "    parfor b.6 in 1 .. 256 {\n"
                 "        before.2 = count.1[0]\n"
                 "        for b.4 = 1 .. 256 {\n"
                 "            now.7 = before.2 + count.1[b.4]\n"
                 "            now.3 = b.4 <= b.6 ? now.7 : now.3\n"
                 "            before.8 = now.3\n"
                 "            before.2 = b.4 <= b.6 ? before.8 : before.2\n"
                 "        }\n"
                 "        below.2[b.6] = now.3\n"
                 "        if (b.6 == 1) {\n"
                 "            below.2[0] = count.1[0]\n"
                 "        }\n"
                 "    }\n"
                 "}\n",
                 replayed(FRONT, "1 .. 256", PASS("            below.2[b.4] = now.3\n")));
    CHECK_HAS_STR("parfor b.6 in 0 .. 256 {\n        before.2 = 7\n",
                  replayed("        before.2 = 7\n", "0 .. 256", PASS("            below.2[b.4] = now.3\n")));
}

TEST(loops_that_stay) {
    CHECK(stays(FRONT, "1 .. 30", PASS("            below.2[b.4] = now.3\n")));        // short
    CHECK(stays(FRONT, "0 .. 256", PASS("            below.2[b.4] = now.3\n")));       // over what stands in front
    CHECK(stays(FRONT, "1 .. 256", PASS("            below.2[256 - b.4] = now.3\n"))); // another element
    CHECK(stays(FRONT, "1 .. 256", PASS("            below.2[b.4] = now.3 + 1\n")));   // no variable
    CHECK(stays(FRONT, "1 .. 256",
                PASS("            below.2[b.4] = now.3\n            other.3[b.4] = now.3\n"))); // two stores
    CHECK(stays(FRONT, "1 .. 256",
                "            now.3 = before.2 + below.2[b.4 - 1]\n            below.2[b.4] = now.3\n")); // it is read
    CHECK(stays(
        FRONT, "1 .. 256",
        "            below.2[b.4] = now.3\n            now.3 = now.3 + count.1[b.4]\n")); // changed behind the store
    CHECK(
        stays("        before.2 = 1\n        below.2[0] = before.2\n        before.2 = 2\n        now.3 = below.2[0]\n",
              "1 .. 256", PASS("            below.2[b.4] = now.3\n"))); // what was stored is no longer known
    CHECK(stays("        other.3[0] = 1\n" FRONT, "1 .. 256", PASS("            below.2[b.4] = now.3\n")));
    const char *many = text_of("2", FRONT, "1 .. 256", PASS("            below.2[b.4] = now.3\n"));
    CHECK(strstr(after(pass_replay, many), "parfor one.1 in 0 .. 2 {") != NULL);
}
