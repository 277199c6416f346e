// Playing a program on what is known of it (race_example.c), for those who look for races (race_walk.c).
#ifndef WHORL_WITNESS_H
#define WHORL_WITNESS_H

#include "pass/analysis/play.h"
#include "pass/passes.h"

struct witness_event;

struct witness {
    struct ir_unit *u;
    struct pass_scope *sc;
    struct pass_play entry;     // the entry level, up to the parallel loop at hand
    struct pass_play iteration; // of that
    bool *dirty;                // by array
    uint32_t *buckets;          // of the events, + 1
    struct witness_event *events;
    uint32_t event_count, event_cap;
    uint32_t number; // of the iteration
};

void pass_witness_init(struct witness *w, struct pass_scope *sc);
// Plays the loop. True: two iterations race, which has been said.
bool pass_witness_race(struct witness *w, ir_stmt parfor);

// ---- race_walk.c
// Brings each PARFOR of the unit to fn, perhaps several times (`first`: not yet), with what is known where it stands.
// fn's true: enough of this one.
typedef bool (*pass_race_fn)(struct pass_scope *sc, struct witness *witness, ir_stmt parfor, bool first);
void pass_race_walk(struct ir_unit *u, pass_race_fn fn);

#endif
