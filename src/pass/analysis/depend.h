// Which iteration touches what: the accesses of a block, and the tests that fuse, interchange and promote rest on.
#ifndef WHORL_PASS_DEPEND_H
#define WHORL_PASS_DEPEND_H

#include "pass/analysis/affine.h"
#include "pass/cost.h"

// The elements of an access where the choices in its indices, as at an edge, are made in one way.
#define PASS_WAYS 8  // guess: of an access
#define PASS_FIXED 4 // guess: variables that one way leaves one value
struct pass_way {
    struct pass_affine *sub; // [n]
    ir_var fixed[PASS_FIXED];
    int64_t values[PASS_FIXED];
    uint32_t fixed_count;
};

struct pass_access {
    ir_array array;
    bool store;
    bool conditional; // inside an IF, a LOOP, or a FOR that may make no pass
    ir_stmt stmt;
    ir_expr load; // 0 for stores, and for what a STAGE copies
    uint32_t n;
    const uint32_t *indices;     // [n], in unit->args at collection time: copied
    struct pass_affine *sub;     // [n]; copies of an access share it
    const struct pass_way *ways; // all that there are; NULL: there is no choice, too many, or nobody asked
    uint32_t way_count;
};
struct pass_accesses {
    struct pass_access *items;
    uint32_t count, cap;
    bool with_locals, with_ways; // set by the caller
};

// Appends every access to a non-LOCAL (but with_locals), non-TABLE array in `block`, seen in the scope's current state
// (the enclosing loops entered).
void pass_collect(struct pass_scope *sc, ir_stmt block, struct pass_accesses *out);
// The same of the body of a FOR, LOOP or PARFOR, in whose block the scope is.
void pass_collect_inside(struct pass_scope *sc, ir_stmt s, struct pass_accesses *out);

// The iteration space over which ownership is asked: loop variables with their trip counts.
struct pass_space {
    uint32_t n;
    ir_var vars[IR_MAX_DIMS];
    uint64_t extents[IR_MAX_DIMS]; // iterations
    int32_t steps[IR_MAX_DIMS];
};
// The space of a PARFOR (extent UINT32_MAX where the trip count is not known).
bool pass_space_of(struct pass_scope *sc, ir_stmt parfor, struct pass_space *out);
// All accesses to `array` in the list touch, in different points of the space, different elements: each element has one
// owner.
bool pass_owned(const struct pass_scope *sc, const struct pass_accesses *list, ir_array array,
                const struct pass_space *space);

// Reports provable races of every PARFOR of the unit as errors (two iterations surely write one element, or one reads
// what another writes, with different values). `examples`: also by playing iterations with the values that are given.
void pass_check_races(struct ir_unit *u, bool examples);
// Of a unit as it was lowered, whose loops then are other ones: does an iteration, or what else threads run in one
// piece, load elements of the threadprivate variable of that name that it has not stored itself (leftover.c)? *out: it
// does so unless these parameters, or elements of such, are at least so large, or so much larger than others.
struct pass_left {
    struct pass_left_if {
        ir_expr e, other; // 0: nothing
        int64_t least;    // e - other
    } items[PASS_LEFT_ASKED];
    uint32_t count;
};
bool pass_sees_left(struct ir_unit *u, const char *name, struct pass_left *out);
// Reports an index that certainly is outside of its array as an error (index_errors.c).
void pass_check_indices(struct ir_unit *u);

#endif
