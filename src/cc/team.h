// Regions that ask for the thread's number: what team.c and team_loops.c know of one.
#ifndef WHORL_CC_TEAM_H
#define WHORL_CC_TEAM_H

#include "cc/region.h"

#define CC_TEAM CC_PREFIX "team"     // how many threads there are
#define CC_THREAD CC_PREFIX "thread" // the one that runs an iteration

// A variable that follows from the thread's number, or from how many threads there are.
struct cc_team_name {
    const struct cc_name *name;
    uint32_t at, from,
        to;       // `to` is not 0: it is the expression from `from`, and set from `at` on; nothing else sets it
    bool differs; // from thread to thread
    bool is_pointer;
};

struct cc_team {
    struct cc_region *region;
    struct cc_source *source;
    struct cc_team_name *names;
    uint32_t name_count, name_cap;
    const struct cc_node **loops; // directives of worksharing loops
    uint32_t loop_count, loop_cap;
    const struct cc_node **turns; // loops that have become such
    uint32_t turn_count, turn_cap;
    const char **updated; // in the loop at hand: arrays of which threads update elements of their own
    uint32_t updated_count, updated_cap;
    bool is_combined; // `parallel for`
};

// team.c
bool cc_team_fail(struct cc_team *t, uint32_t at, const char *text);              // false
bool cc_asks_number(const struct cc_source *s, uint32_t at);                      // omp_get_thread_num()
uint32_t cc_team_skip(const struct cc_team *t, uint32_t at);                      // behind a directive, or an aside
const struct cc_team_name *cc_team_name_at(const struct cc_team *t, uint32_t at); // NULL: none
bool cc_team_differs(const struct cc_team *t, uint32_t from, uint32_t to);        // from thread to thread
void cc_team_edit(struct cc_team *t, uint32_t at, uint32_t size, const char *text);
// Tokens as the program has them. `in_loop`: where CC_THREAD is known.
void cc_team_put(const struct cc_team *t, struct base_text *out, uint32_t from, uint32_t to, bool in_loop);

// team_loops.c
bool cc_find_team_loops(struct cc_team *t);
const struct cc_node *cc_team_loop_at(const struct cc_team *t, uint32_t at); // NULL: none around it
bool cc_team_has_moved(const struct cc_team *t, uint32_t at);                // in the head of a loop of `turns`
bool cc_edit_team_loops(struct cc_team *t);

// carried.c: a variable of each thread, which a region sets and uses for shares of a sum alone.
bool cc_is_share(struct cc_source *s, const struct cc_node *region, const struct cc_name *name);
// carried.c: the first region of a statement, or of what it calls, whose results depend on how many threads it has;
// NULL: none.
const struct cc_node *cc_find_threads(struct cc_source *s, const struct cc_node *n);

// In a loop that is shared out, a thread's variable goes from iteration to iteration: any; one that is more than a
// share of a sum or the best of a share; one that is more than such a share for all.
enum cc_carried { CC_ANYTHING, CC_STATE, CC_NO_SHARE };
bool cc_takes_on(struct cc_source *s, const struct cc_node *team, const struct cc_node *loop, enum cc_carried least);
extern const char cc_open_schedule[];
// team_loops.c: with its schedule, which thread an iteration belongs to is open.
bool cc_is_dealt_out(const struct cc_source *s, const struct cc_node *loop);

// team_turns.c: a loop whose iterations threads take in turns; false: it is none.
bool cc_edit_turns(struct cc_team *t, const struct cc_node *loop);

#endif
