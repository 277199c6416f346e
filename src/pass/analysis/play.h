// Playing a program on what is known of it, for those who look for errors that certainly happen. Scalars are known or
// unknown, loads are unknown but for those of constant tables. Where a condition is not known, neither branch is played
// and what they write is forgotten. So what is played does happen, but where `maybe` says that it may not be reached.
#ifndef WHORL_PASS_PLAY_H
#define WHORL_PASS_PLAY_H

#include "pass/pass.h"

struct pass_value {
    uint32_t bits;
    bool known;
};
struct pass_play;
struct pass_written; // play.c

// Who plays. What is NULL does nothing; an unset variable is unknown then.
struct pass_player {
    struct pass_value (*unset)(struct pass_play *p, ir_var v);
    void (*load)(struct pass_play *p, ir_expr load, const struct pass_value *index);
    void (*write)(struct pass_play *p, ir_stmt s, const struct pass_value *index,
                  struct pass_value value);       // an element
    void (*loop)(struct pass_play *p, ir_stmt s); // FOR, LOOP, PARFOR: plays what it wants of it
    void (*forget)(struct pass_play *p, const struct ir_effects *effects); // of what was not played
};

struct pass_play {
    struct ir_unit *u;
    const struct pass_player *player;
    void *user;
    struct pass_value *vars; // by variable; where it is set
    bool *set;
    ir_var *touched; // those that are
    uint32_t touched_count;
    struct pass_written **written; // by block, of those that were not played once: passes of loops come again and again
    uint32_t work, most_work;      // nodes and statements; nothing is played when it is spent
    uint32_t depth;
    ir_stmt stmt;          // at hand
    bool maybe;            // where we are may not be reached
    bool broke, continued; // the pass at hand of the innermost loop is over
};

void pass_play_init(struct pass_play *p, struct ir_unit *u, const struct pass_player *player, void *user,
                    uint32_t most_work);
void pass_play_again(struct pass_play *p); // nothing is set; the work stays
bool pass_play_spend(struct pass_play *p); // a step; false: all is spent
void pass_play_stop(struct pass_play *p);  // as if all were spent

void pass_play_set(struct pass_play *p, ir_var v, struct pass_value value); // unknown where it may not be reached
struct pass_value pass_play_expr(struct pass_play *p, ir_expr e);
struct pass_value pass_play_unsure(struct pass_play *p, ir_expr e); // as what may not be reached
void pass_play_block(struct pass_play *p, ir_stmt block);
void pass_play_forget(struct pass_play *p, ir_stmt block); // what it may write is unknown from here on

// The counter of a FOR, or of a dimension, with known bounds.
struct pass_counter {
    int64_t first, last;
    uint64_t trips; // 0: last means nothing
};
bool pass_play_counter(struct pass_play *p, ir_var var, ir_expr lo, ir_expr hi, int32_t step,
                       struct pass_counter *out); // false: they are not known
int64_t pass_value_number(struct pass_value v, enum ir_type type);
// The element's number in the array; false where the indices are not known or one is outside of its dimension.
bool pass_value_element(const struct ir_unit *u, ir_array array, const struct pass_value *index, uint64_t *out);

#endif
