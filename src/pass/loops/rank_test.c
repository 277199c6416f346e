// Sequential loops whose passes take places by a key (rank.c): which they are.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

// Sequential code of 5000 passes of this body, between parallel loops.
static bool ranks(const char *body) {
    char text[2000];
    snprintf(text, sizeof text,
             "void f(const int key[5000], const int val[5000], int list[20000], int more[20000], int own[5000], int "
             "place[64], int start[65], int small[20]) {\n"
             "for (int i = 0; i < 5000; i++) {\n%s\n}\n"
             "#pragma omp parallel for\nfor (int i = 0; i < 5000; i++) own[i] += list[i] + more[i];\n}\n",
             body);
    if (!compile(text, 0)) return false;
    return strstr(said, "rank: the loop at line 2 takes places by 64 keys in 256 blocks") != NULL;
}

TEST(places_by_key) {
    CHECK(ranks("list[place[key[i]]++] = i;"));
    CHECK(ranks("list[--place[key[i]]] = i;"));
    CHECK(ranks("int p = place[key[i]]; list[p] = i; more[p] = val[i]; own[i] = p; place[key[i]] = p + 1;"));
    CHECK(ranks("list[start[key[i]] + place[key[i]]++] = i;"));
    CHECK(ranks("if (val[i] > 2) list[place[key[i]]++] = i; else own[i] = 3;"));
}

TEST(several_places_of_a_pass) {
    CHECK(ranks("list[place[key[i]]++] = val[i]; list[place[val[i]]++] = key[i];"));
    CHECK(ranks("for (int j = 0; j < val[i]; j++) { int k = key[(i + j) % 5000]; list[place[k]++] = j; }"));
    CHECK(ranks("int p = place[key[i]]; place[key[i]] += 2; list[p] = i; list[p + 1] = val[i];"));
}

// Two keys may be one, and then one of the places is given twice.
TEST(places_that_are_given_twice) {
    CHECK(!ranks("int a = place[key[i]], b = place[val[i]]; place[key[i]] = a + 1; place[val[i]] = b + 1;\n"
                 "list[a] = i; list[b] = -i;"));
    CHECK(!ranks("list[place[key[i]]] = i;"));
    CHECK(!ranks("list[place[key[i]]++ / 2] = i;"));
    CHECK(!ranks("list[place[key[i]]] = i; place[key[i]] += val[i];"));
    // a loop inside is left between the store and what the place moves on by
    CHECK(ranks("for (int j = 0; j < 2; j++) {\nint p = place[key[i]]++; list[p] = i;\n"
                "if (val[i] == 3) { if (j) break; own[i] = 3; } }"));
    CHECK(!ranks("for (int j = 0; j < 2; j++) {\nint p = place[key[i]]; list[p] = i;\n"
                 "if (val[i] == 3) { if (j) break; own[i] = 3; }\nplace[key[i]] = p + 1; }"));
}

TEST(elements_that_nobody_took) {
    CHECK(!ranks("list[place[key[i]] + 1] = i; place[key[i]]++;"));
    CHECK(!ranks("list[place[key[i]]++] = i; list[i] = 3;")); // by its pass, and by a place
    CHECK(!ranks("int k = key[i], p = place[k]++; k = val[i]; list[start[k] + p] = i;"));
    CHECK(!ranks("int p = place[key[i]]++; list[start[val[i]] + p] = i;"));
}

TEST(keys_that_places_make) {
    CHECK(!ranks("list[place[list[i] & 63]++] = i;"));
    CHECK(!ranks("int p = place[key[i]]++; list[p] = i; if (p & 1) list[place[val[i]]++] = i;"));
    CHECK(!ranks("int p = place[key[i]]++; list[p] = i; list[place[p & 63]++] = i;"));
    CHECK(!ranks("list[place[small[i % 20] & 63]++] = i; small[i % 20] = val[i];"));
}

TEST(what_goes_from_pass_to_pass) {
    CHECK(!ranks("list[place[key[i]]++] = more[0]; more[0] = i;"));
    CHECK(!ranks("int p = place[key[i]]++; list[p] = i; small[val[i]] = p;"));
}
