// What the files of pass_panel share: parts of arrays that the iterations of a workgroup read together. panel.c says
// what it is for, and decides.
#ifndef WHORL_PASS_PANEL_H
#define WHORL_PASS_PANEL_H

#include "pass/cost.h"
#include "pass/passes.h"

enum { PANEL_BOXES = 8 };

// What a variable is to the loop that is looked at, and how far it goes there.
enum panel_role {
    PANEL_OTHER,
    PANEL_ALIKE, // one value in a workgroup, all through the loop
    PANEL_LANE,  // tells its iterations apart
    PANEL_INNER, // counts a loop inside
    PANEL_PASS,  // counts the loop itself
};

// Loads of an array that begin at one place, which all iterations of the workgroup have in common.
struct panel_box {
    ir_array array, staged;
    uint32_t n;                                  // dimensions
    struct pass_affine begin[IR_MAX_DIMS];       // of variables that are PANEL_ALIKE, without a constant
    int64_t along[IR_MAX_DIMS];                  // elements further for each pass of the loop
    int64_t low[IR_MAX_DIMS], high[IR_MAX_DIMS]; // of what is added by lanes, loops inside and constants, at pass 0
    int64_t own_low[IR_MAX_DIMS], own_high[IR_MAX_DIMS]; // the same without what lanes add
    uint32_t extent[IR_MAX_DIMS]; // of the box for a stretch of passes; `low` is where it begins then
    uint64_t reads, own, words;   // of a lane in a pass; elements that a lane reads of the box; of the box
    uint32_t skew;                // rows from lane to lane, where lanes read different rows; else 0
    bool along_lanes;             // lanes read neighbours in a row
    bool of_lanes;                // not all of them read the same
};

struct panel_load {
    ir_expr load;
    uint32_t box; // PANEL_BOXES: of none
    struct pass_affine index[IR_MAX_DIMS];
};

struct panel {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc; // NULL: what it would know is of iterations that exist
    ir_stmt parfor, loop;
    const uint32_t *written; // bit set over arrays: in the PARFOR
    const uint32_t *shared;  // ... anywhere, so that loads go past the nearest cache in programs of one dispatch
    uint32_t var_cap;        // of the tables by variable
    uint8_t *roles;          // by variable: enum panel_role
    int64_t *first, *last;   // by variable that counts: its values
    uint64_t *runs;          // by statement: of a lane in a pass of the loop
    uint32_t *zeroed;        // bit set over variables: that begin as zero, in `zeros`
    ir_stmt zeros;           // what an iteration begins with
    struct panel_box boxes[PANEL_BOXES];
    uint32_t box_count;
    struct panel_load *loads;
    uint32_t load_count;
};

// The boxes of the loads in x->loop, whose block's accesses these are.
void panel_find_boxes(struct panel *x, const struct pass_accesses *accesses);
// Drops boxes that are read too little, and gives each its size for stretches of so many passes. -> words of all
uint64_t panel_measure(struct panel *x, uint64_t passes, uint32_t *out_kept);
// Makes boxes for stretches of so many passes of those that panel_measure has kept.
void panel_settle(struct panel *x, uint64_t passes);
// Where the box begins in dimension `d` at the stretch whose number is `stretch` (0: there is one only).
ir_expr panel_origin(struct panel *x, const struct panel_box *box, uint32_t d, ir_var stretch, uint64_t passes);
// The load as one of its box, by `pass`, the number of the pass in its stretch.
ir_expr panel_load_of(struct panel *x, const struct panel_load *load, ir_var pass);

// What takes the place of x->loop of so many trips: copies and passes, stretch by stretch (panel_stretches.c).
ir_stmt panel_stretches(struct panel *x, uint64_t passes, uint64_t trips);

// How many of the last dimensions are a workgroup's invocations together; 0: they are not (panel_team.c).
uint32_t panel_lane_dims(const struct panel *x, const struct ir_stmt_node *parfor);
// So many dimensions of x->parfor become parts of a lane's number.
void panel_make_team(struct panel *x, uint32_t lane_dims);
// Makes a team of x->parfor, whose first `dims` dimensions stay. head, then x->zeros: what its iterations begin with.
void panel_close_team(struct panel *x, ir_var lane, uint32_t dims, ir_stmt head);
// `if (exists) block`, where the condition goes to what does not copy.
ir_stmt panel_guarded(struct panel *x, ir_expr exists, ir_stmt block);

#endif
