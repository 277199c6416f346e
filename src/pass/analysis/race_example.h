// Playing a program on what is known of it (race_example.c), for those who look for races (race_walk.c).
#ifndef WHORL_WITNESS_H
#define WHORL_WITNESS_H

#include "pass/passes.h"

struct witness_value {
    uint32_t bits;
    bool known;
};
struct witness_event;

struct witness {
    struct ir_unit *u;
    struct pass_scope *sc;
    struct witness_value *entry; // by variable: at entry level, where the parallel loop at hand stands
    struct witness_value *vars;
    bool *set; // by variable: assigned (or made unknown) in this iteration
    ir_var *touched;
    uint32_t touched_count;
    bool *dirty;       // by array
    uint32_t *buckets; // of the events, + 1
    struct witness_event *events;
    uint32_t event_count, event_cap;
    uint32_t iteration;
    uint32_t work, depth;
    bool maybe; // where we are may not be reached
    bool broke, continued;
};

void pass_witness_init(struct witness *p, struct pass_scope *sc);
struct witness_value pass_witness_entry(struct witness *p, ir_expr e); // as it is at entry level
// Plays the loop. True: two iterations race, which has been said.
bool pass_witness_race(struct witness *p, ir_stmt parfor);

// ---- race_walk.c
// Brings each PARFOR of the unit to fn, perhaps several times (`first`: not yet), with what is known where it stands.
// fn's true: enough of this one.
typedef bool (*pass_race_fn)(struct pass_scope *sc, struct witness *witness, ir_stmt parfor, bool first);
void pass_race_walk(struct ir_unit *u, pass_race_fn fn);

#endif
