// The passes and the small analyses that they share. A pass transforms p->u in place and adds to p->explain what a user
// should know.
#ifndef WHORL_PASS_PASSES_H
#define WHORL_PASS_PASSES_H

#include "pass/analysis/affine.h"
#include "pass/analysis/depend.h"
#include "pass/cost.h"
#include "pass/pass.h"

void pass_fold(struct pass_cx *p);         // fold.c: constants, decided branches, dead code
void pass_keep_nan(struct pass_cx *p);     // keep_nan.c: the largest of values that begins with no number
void pass_follow(struct pass_cx *p);       // follow.c: elements that their places make
void pass_counted(struct pass_cx *p);      // counted.c: loops to a bound that stays, however they are written
void pass_doubling(struct pass_cx *p);     // doubling.c: loops whose variable doubles or halves, as counted ones
void pass_evict(struct pass_cx *p);        // evict.c: large private arrays move into buffers
void pass_remember(struct pass_cx *p);     // remember.c: what the best so far is worth, of which a loop keeps the place
void pass_vacant(struct pass_cx *p);       // vacant.c: searches that begin without a place
void pass_best(struct pass_cx *p);         // best.c: searches for the best as reductions
void pass_winner(struct pass_cx *p);       // winner.c: copies of what is better, behind the search
void pass_rank(struct pass_cx *p);         // rank.c: places by a key, in blocks
void pass_autopar(struct pass_cx *p);      // autopar.c: sequential loops that may as well be parallel
void pass_canonicalise(struct pass_cx *p); // canonicalise.c: loops around parallel loops without jumps
void pass_sink(struct pass_cx *p);         // sink.c: uniform scalar code moves into the parallel loops that read it
void pass_dimensions(struct pass_cx *p); // dimensions.c: rows of arrays, and of parallel loops, that are written as one
void pass_coalesce(struct pass_cx *p);   // coalesce.c: nests whose extents change, and their product does not
void pass_rotate(struct pass_cx *p);     // rotate.c: loops that swap arrays are unrolled by the period
// Steps of the FOR after which all remainders of its counter that pass_rotate would unroll are the same; 1: none.
uint32_t pass_rotate_modulus(struct ir_unit *u, ir_stmt loop);
void pass_double_buffer(struct pass_cx *p); // double_buffer.c: arrays that steps overwrite get a second one
void pass_copy_back(struct pass_cx *p);     // copy_back.c: steps that copy a second array back write both in turn
void pass_every(struct pass_cx *p);         // every.c: what a loop does in every n-th pass alone
void pass_confine(struct pass_cx *p);       // confine.c: short parallel loops in a loop, as those of one iteration
void pass_compose(struct pass_cx *p);       // compose.c: stencils make two steps in one parallel loop
// By statement, true for parallel loops in a loop that swaps arrays which read nothing that they write, whichever way
// they are swapped.
void pass_find_apart(struct pass_cx *p, bool *apart); // rotate.c
void pass_outward(struct pass_cx *p);                 // outward.c: short reductions of a loop's passes, side by side
void pass_lone(struct pass_cx *p);                    // lone.c: sequential stretches as iterations
void pass_scan(struct pass_cx *p);        // scan.c: long recurrences of few iterations, in blocks of the grid
void pass_fuse(struct pass_cx *p);        // fuse.c: neighbouring loops over one space become one
void pass_butterfly(struct pass_cx *p);   // butterfly.c: rounds that exchange elements of a few, in registers
void pass_coarsen(struct pass_cx *p);     // coarsen.c: neighbours that share the first dimensions, too
void pass_distribute(struct pass_cx *p);  // distribute.c: products of matrices get parallel loops of their own
void pass_interchange(struct pass_cx *p); // interchange.c: sequential loops move inside parallel ones
void pass_collapse(struct pass_cx *p);    // collapse.c: inner loops of few iterations become dimensions
void pass_adopt(struct pass_cx *p);       // adopt.c: iterations store what sequential code stores in their elements
void pass_accumulate(struct pass_cx *p);  // share.c: small arrays that long loops add to become scalars
void pass_flatten(struct pass_cx *p);     // flatten.c: sums over nested loops of few iterations, as those of one loop
void pass_rfactor(struct pass_cx *p);     // rfactor.c: long sums of few iterations, in blocks of the grid
void pass_anew(struct pass_cx *p);        // anew.c: arrays whose old elements nobody needs
void pass_square(struct pass_cx *p);      // square.c: neighbours of a transposed array in blocks
void pass_recognise(struct pass_cx *p);   // recognise.c: atomic additions to floats that are sums
void pass_aside(struct pass_cx *p);       // aside.c: loops that move elements of an array over themselves
void pass_expand(struct pass_cx *p);      // expand.c: local arrays in memory, where lanes then share loops
void pass_share(struct pass_cx *p);       // share.c: loops that lanes may share out, though nobody said so
void pass_abreast(struct pass_cx *p);     // abreast.c: passes side by side, for loads that they share
void pass_settle(struct pass_cx *p);      // promote.c: pass_promote, before loops are shared out
void pass_keep(struct pass_cx *p);        // keep.c: rows that lanes have in registers over a time loop
void pass_states(struct pass_cx *p);      // states.c: loops over what an iteration carries on, marked for spread
void pass_spread(struct pass_cx *p);      // spread.c: iterations over several lanes of a subgroup
void pass_jam(struct pass_cx *p);         // jam.c: iterations side by side, for loads that they share
void pass_panel(struct pass_cx *p);       // panel.c: what a workgroup's iterations read, in its memory
void pass_turn(struct pass_cx *p);        // turn.c: rows that iterations walk along, through workgroup memory
void pass_unroll(struct pass_cx *p);      // unroll.c: short loops whose index chooses array elements
void pass_promote(struct pass_cx *p);     // promote.c: array elements that one iteration owns become scalars
void pass_spell(struct pass_cx *p);       // spell.c: choices of elements of small local arrays, spelled out
void pass_scalarise(struct pass_cx *p);   // scalarise.c: local arrays with known indices become scalars
void pass_choose(struct pass_cx *p);      // choose.c: branches between two values become selections
void pass_hoist(struct pass_cx *p);       // hoist.c: repeated read-only loads move out of loops
void pass_redundant(struct pass_cx *p);   // redundant.c: what an iteration loads several times
void pass_carry(struct pass_cx *p);       // carry.c: what the pass before stored stays in a register
void pass_carry_all(struct pass_cx *p);   // ... with more that scan.c can use
void pass_prefetch(struct pass_cx *p);    // prefetch.c: loads of later passes into registers, before the work of these
void pass_reduce(struct pass_cx *p);      // reduce.c: reductions become blocks of partials and one combine
void pass_privatise(struct pass_cx *p);   // privatise.c: small arrays of counters, in copies of each workgroup
void pass_lanes(struct pass_cx *p);       // lanes.c: iterations over several invocations
// Passes of a lane of the PARFOR's iterations if pass_share marks loops, which it does, and what their meetings cost;
// UINT64_MAX: not known.
uint64_t pass_shared_passes(struct pass_cx *copy, ir_stmt parfor);
struct pass_sharing {
    uint32_t loops, lanes; // that lanes share; of an iteration, 1 where they share none, else `least` at least
    double time;           // pass_time_on_lanes
    double least_time;     // ... or on as many as the longest loop may have
};
struct pass_sharing pass_weigh_sharing(struct pass_cx *copy, ir_stmt parfor, uint32_t least);
// The loop that is all that stands in this one, where both may become one loop of so many passes; 0: none
// (merge_nest.c).
ir_stmt pass_merge_inner(struct ir_unit *u, ir_stmt loop, uint64_t *out_passes);
void pass_merge(struct ir_unit *u, ir_stmt loop);        // they do, in place
// Tells which loops the lanes of the PARFOR share (say_loops.c).
void pass_say_loops(struct pass_cx *p, const char *pass, ir_stmt parfor, const ir_stmt *loops, uint32_t count);
bool pass_for_lanes(const struct ir_unit *u, ir_stmt s); // a loop that lanes may share: it stays one
// Lanes at least of each of so many iterations, if they share the loop, which makes `trips` passes.
uint32_t pass_least_lanes(const struct pass_cx *p, ir_stmt loop, uint64_t trips, uint64_t iterations);
uint32_t pass_near_lanes(const struct pass_cx *p, uint64_t words);
uint64_t pass_local_words(struct ir_unit *u, ir_stmt parfor); // of all local arrays of an iteration
void pass_contract(struct pass_cx *p);                        // contract.c: ... and back, where no lanes do
void pass_issue(struct pass_cx *p);                           // issue.c: loads behind a shared loop move before it
void pass_widen(struct pass_cx *p);                           // widen.c: several passes of a loop at once
void pass_ahead(struct pass_cx *p);     // ahead.c: loads behind a branch, made for sure, come before it
void pass_ask(struct pass_cx *p);       // ask.c: neighbours under a condition are loaded without it
void pass_gather(struct pass_cx *p);    // gather.c: loads of several passes first, from arrays that workgroups share
void pass_join(struct pass_cx *p);      // join.c: loads of neighbours become one access
void pass_slice(struct pass_cx *p);     // slice.c: resume points
void pass_near(struct pass_cx *p);      // contract.c: local arrays that lanes share come into workgroup memory
void pass_tell(struct pass_cx *p);      // tell.c: what sequential code stores, as variables
void pass_recompute(struct pass_cx *p); // recompute.c: short values of a reduction, by everyone who combines them
void pass_stage(struct pass_cx *p);     // stage.c: vectors that all iterations read, into workgroup memory
void pass_tile(struct pass_cx *p);      // tile.c: stencils in tiles
void pass_ping_pong(struct pass_cx *p); // ping_pong.c: partial results in two halves
void pass_deal(struct pass_cx *p);      // deal.c: uneven iterations, to and fro
void pass_sync(struct pass_cx *p);      // sync.c: barriers and shared arrays of a program in one dispatch
void pass_reuse(struct pass_cx *p);     // choose.c: the same again, of what passes since then have copied
void pass_hold_nan(struct pass_cx *p);  // hold_nan.c: choices between floats that drivers take for numbers
void pass_hold_rounding(struct pass_cx *p); // hold_rounding.c: floats that drivers compute as if they were real numbers
void pass_bounds(struct pass_cx *p);        // bounds.c: kernels whose indices are proven need no checks of them

// The program is more than one parallel loop without a loop around: one dispatch of it needs barriers (grid_points.c).
bool pass_needs_grid(const struct ir_unit *u);
void pass_mark_points(struct ir_unit *u); // IR_FLAG_GRID

// ---- rewriting (rewrite.c) ------------------------------------------------------------------------------------------
// How the statements of a block, and of the blocks in it, become others. A member that is NULL does nothing.
struct pass_rewriter {
    struct ir_unit *u;
    struct pass_scope *sc; // kept up to date on the way
    void *user;
    ir_stmt (*before)(void *user,
                      ir_stmt s); // statements that come in front of s, or 0; s and its blocks are as they were
    bool (*enters)(void *user,
                   ir_stmt s); // whether the blocks of s, an IF, FOR or LOOP, are rewritten; NULL: all
    ir_stmt (*replace)(void *user, ir_stmt done,
                       ir_stmt s); // what takes the place of s, rewritten inside; done: what stands before it
    bool lanes;                    // iterations on lanes of a workgroup, too
    bool phases;                   // of the entry level: loops without parallel ones inside are not entered
};
ir_stmt pass_rewrite_block(const struct pass_rewriter *w, ir_stmt block);
// The same, with `enters` and `replace` alone, of blocks that stay linked into the unit: for who asks what is read
// elsewhere. What replaces a statement ends by itself, or with what followed that.
ir_stmt pass_rewrite_linked(const struct pass_rewriter *w, ir_stmt block);
ir_stmt pass_fold_block(struct ir_unit *u,
                        ir_stmt block); // fold.c: a block of the unit alone, where nothing is known before
// The same of the bodies of all PARFORs without lanes, in `w->sc`, which it makes. Before that `replace` gets the
// PARFOR itself, in the scope of its body, and returns it.
void pass_rewrite_iterations(const struct pass_rewriter *w);
// Those bodies, and then what stands around them; `w` needs no scope.
void pass_rewrite_all(const struct pass_rewriter *w);

// ---- exchanges of lanes (agree_last.c) ------------------------------------------------------------------------------
// The block with its AGREEs side by side, as far as they do not need each other, behind what does not need them.
ir_stmt pass_agree_last(struct ir_unit *u, ir_stmt block);

// ---- iterations by number (blocks.c) --------------------------------------------------------------------------------
// Passes of the dimension, I32: a constant where that is known.
ir_expr pass_block_trips(const struct pass_scope *sc, const struct ir_dim *d);
// Assignments that set the index variables of the PARFOR, of whose node `parfor` is a copy, from the iteration's number
// `k`; they become plain locals.
ir_stmt pass_block_indices(const struct pass_scope *sc, const struct ir_stmt_node *parfor, ir_var k);

// ---- parallel loops in blocks (block_arrays.c) ----------------------------------------------------------------------
// Each dimension of the PARFOR, of whose node `n` is a copy, counts up by one from a constant to a constant, so that
// its index is that of an array; and there is room for two more.
bool pass_has_plain_dims(const struct ir_unit *u, const struct ir_stmt_node *n);
// The same, but that the end may also be the smaller of something and a constant, which blocks' arrays have room for.
bool pass_has_block_dims(const struct ir_unit *u, const struct ir_stmt_node *n);
// An array [lead[0]]..[dimensions of the PARFOR] of values that blocks leave, and the indices of an element there.
ir_array pass_block_array(struct ir_unit *u, const struct ir_stmt_node *n, const char *name, enum ir_type type,
                          const uint32_t *lead, uint32_t lead_count);
uint32_t pass_block_index(struct ir_unit *u, const struct ir_stmt_node *n, const ir_expr *lead, uint32_t lead_count,
                          ir_expr out[IR_MAX_DIMS]);
// A PARFOR over `blocks` (0: without) and the dimensions of the other, with a copy of the body, which has the other's
// names of dimensions, and `block` in it.
ir_stmt pass_block_parfor(struct ir_unit *u, const struct ir_stmt_node *n, ir_var block, uint32_t blocks, ir_stmt body);

// ---- array reductions of floats (reduce_arrays.c) -------------------------------------------------------------------
// Blocks at most of a PARFOR with updates of fixed order (IR_FLAG_FIXED), of so many iterations; 0: it has none.
uint32_t pass_sums_blocks(const struct ir_unit *u, ir_stmt parfor, uint64_t iterations);
// The PARFOR is one over blocks, of which there are `count` at most: such updates become those of the block's own sums.
// Returns what adds these to the arrays behind the loop; io_made, by array, says which.
ir_stmt pass_sums_make(struct ir_unit *u, ir_stmt parfor, uint32_t count, bool *io_made);
// Those of which no atomic access is left are plain arrays from then on. made: of so many arrays.
void pass_sums_settle(struct ir_unit *u, const bool *made, uint32_t arrays);

// ---- copies of workgroups (privatise.c) -----------------------------------------------------------------------------
// Words of workgroup memory that copies of one parallel loop take, at most (privatise.c).
uint32_t pass_private_words(const struct ir_unit *u);
// The same of local arrays that lanes of iterations have together (contract.c).
uint32_t pass_lane_array_words(const struct ir_unit *u);
uint64_t pass_near_room(const struct pass_cx *p); // words that there are for these
// Unrolls loops of the iteration that say how long those in them are; pass_fold has to follow. false: there are none.
bool pass_unroll_stages(struct pass_cx *p, ir_stmt parfor);
bool pass_is_near(const struct pass_cx *p, ir_array a); // of pass_expand, and one iteration's finds room there
// The same of panels, of any parallel loop (panel.c).
uint32_t pass_panel_words(const struct ir_unit *u);

// ---- stencils in tiles (tile.c) -------------------------------------------------------------------------------------
// Rows of the tiles in which a grid kernel would run the PARFOR; 0: it is no stencil, or it does not pay.
uint32_t pass_tile_rows(const struct pass_cx *p, ir_stmt parfor);

// ---- partial results (partials.c) -----------------------------------------------------------------------------------
struct pass_partials {
    const struct ir_unit *u;
    uint32_t arrays, *uses; // by array: accesses in the whole unit; of partial results there are two
};
void pass_partials_find(struct pass_partials *out, const struct ir_unit *u);
// The STORE at the top of the PARFOR's body that fills what the statement, a COMBINE, folds; 0: none, or others touch
// that array, too.
ir_stmt pass_partials_store(const struct pass_partials *x, ir_stmt parfor, ir_stmt combine);

// ---- omp simd (simd.c) ----------------------------------------------------------------------------------------------
// Passes of the loop with this body are independent as far as variables go, but for the reductions in `out`. `reads`
// counts the reads of each variable in what stands around (pass_count_reads).
bool pass_simd_reductions(const struct ir_unit *u, ir_stmt body, const uint32_t *reads,
                          struct ir_reduction out[PASS_SIMD_REDUCTIONS], uint32_t *out_count);

// Searches of the FOR for the best and its place (search.c).
struct pass_search {
    ir_stmt test;      // the IF whose branch keeps a better one
    ir_var best, key;  // of equal ones that with the smaller key is better; key 0: the first one
    ir_expr compared;  // the comparison, a part of the condition; with a key both of them
    bool larger, last; // the larger one is better; of equal ones that with the larger key, or the last one
};
// A test of several keys: of passes that are equal in those before it, that with the smaller or larger key is better.
struct pass_order {
    ir_expr compared; // the comparisons, a part of the condition
    struct {
        ir_var var;
        bool larger;
    } keys[PASS_SEARCH_KEYS];
    uint32_t count; // 2 or more
};
// Whether the IF in the loop's body is one.
bool pass_search_order(const struct ir_unit *u, ir_stmt loop, ir_stmt test, struct pass_order *out);
uint32_t pass_searches(const struct ir_unit *u, ir_stmt loop, struct pass_search out[PASS_SEARCHES]);
ir_expr pass_searched(const struct ir_unit *u, const struct pass_search *search); // without a key: what is compared
// All that lanes would keep of it are numbers of the iteration's own, of each type no more than there is memory for.
bool pass_lanes_keep(const struct ir_unit *u, ir_stmt loop, const struct pass_search *search);
// A variable that the branch sets has to be kept beside the best and the key; else it follows from the pass.
bool pass_search_carries(const struct ir_unit *u, ir_stmt loop, const struct pass_search *search, ir_stmt assignment);
// By statement: loops of the PARFOR, in front of whose block the scope is, that search, and that lanes of a workgroup
// should share as they are (share.c); NULL: there are none.
bool *pass_searches_of_lanes(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor);
// As pass_simd_reductions, of a FOR that lanes share: they can share searches, too.
struct pass_lane_sums {
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint32_t count;
    struct pass_search searches[PASS_SEARCHES];
    uint32_t search_count;
};
bool pass_sums_of_lanes(const struct pass_scope *sc, ir_stmt loop, const uint32_t *reads, struct pass_lane_sums *out);

// The operation of `v = v OP x`, which all of the block's assignments of v are, or that is chosen; IR_CONST: they are
// not. *out_uses: reads of v in them.
uint8_t pass_accumulates(const struct ir_unit *u, ir_stmt block, ir_var v, uint32_t *out_uses);

// The condition is `x > v`, written in either order: then v takes x, and the largest is kept. Smallest: FMIN, MIN;
// otherwise IR_CONST. What is no number is never taken, and a v that is none stays: keep_nan.c sees to that.
uint8_t pass_picks(const struct ir_unit *u, ir_expr cond, ir_expr x, ir_var v);

// Variables of iterations that are of type bool become numbers (flags.c).
void pass_flags_as_numbers(struct ir_unit *u);

// ---- small arrays as scalars (accumulators.c) -----------------------------------------------------------------------
// Local arrays that long loops of the PARFOR write, and that may become scalars where the short loops around their
// accesses are unrolled; NULL: there are none.
const bool *pass_accumulators_of(const struct ir_unit *u, ir_stmt parfor);
// Gives such loops arrays of their own, which may become scalars where those of the iteration may not; NULL: none.
const bool *pass_own_accumulators(struct ir_unit *u, ir_stmt parfor);
// Additions of such loops to elements that data choose become additions to each element where it is the one (chosen.c);
// false: there are none.
bool pass_add_to_each(struct ir_unit *u, ir_stmt parfor);
// Unrolls loops whose counters choose elements of these arrays (unroll.c); innermost: but none around others.
void pass_unroll_choosing(struct pass_cx *p, ir_stmt parfor, const bool *arrays, bool innermost);
// By array: the local ones of the PARFOR that become variables when the loops that choose their elements are unrolled,
// as many as kernels have room for (elements.c). `explain` is told which ones had none; NULL: nobody is.
bool *pass_scalars_of(struct ir_unit *u, ir_stmt parfor, struct base_text *explain);
uint32_t pass_scalar_trips(const struct ir_unit *u, ir_stmt loop); // passes at most of one that is unrolled for them
// pass_hoist of loads of these arrays alone, in the parallel loop (hoist.c), in front of which the scope is. A load of
// no element does no harm there.
void pass_hoist_chosen(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor, const bool *arrays);
// A local array of few elements, which pass_spell may choose among variables (spell.c).
bool pass_may_spell(const struct ir_unit *u, ir_array a);
// pass_scalarise of these arrays alone (scalarise.c).
void pass_scalarise_only(struct pass_cx *p, const bool *arrays);

// A FOR under `omp simd` anywhere in the block (spread.c).
bool pass_has_simd(const struct ir_unit *u, ir_stmt block);
// Loop passes that one run of the block makes, those of resume points not counted; UINT64_MAX: not known (slice.c).
uint64_t pass_passes_of(const struct ir_unit *u, ir_stmt block);
// The same, in which some statements count as a pass: short loops may have been unrolled.
uint64_t pass_length_of(const struct ir_unit *u, ir_stmt block);
// The same of one of so many lanes, which share the loops that pass_share marked. taken: by statement, passes that a
// FOR is taken to make whose bounds are no constants, 0: not known; NULL: none is.
uint64_t pass_passes_of_lane(const struct ir_unit *u, ir_stmt block, uint32_t lanes, const uint64_t *taken);

// ---- updates (updates.c) --------------------------------------------------------------------------------------------
// By array: the operator by which the block updates it, a[e] = a[e] OP v, if it does nothing else to it, and such
// updates may be atomic; else IR_CONST. NULL: it does so to none.
uint8_t *pass_find_updates(struct ir_unit *u, ir_stmt block);
// The expression loads the element that the STORE stores, by the same indices.
bool pass_loads_stored(const struct ir_unit *u, ir_expr e, const struct ir_stmt_node *store);
// Makes those of the block atomic, with such flags.
void pass_make_updates(struct ir_unit *u, ir_stmt block, const uint8_t *ops, uint16_t flags, uint16_t of_floats);
// Loads and stores in place of ATOMICs with IR_FLAG_FREE, but in loops that lanes share.
void pass_take_back_updates(struct ir_unit *u, ir_stmt block);

// By statement: loops of the PARFOR that its lanes may make differently often (varies.c); NULL: it has no lanes of a
// subgroup.
const bool *pass_varying_loops(const struct ir_unit *u, ir_stmt parfor);

// ---- passes side by side (apart.c) ----------------------------------------------------------------------------------
// Two passes of the FOR, in whose block the scope is, never touch an element that one of them writes; nor does a pass
// write what an access of `in_front` touches (NULL: none). Updates by ATOMIC alone are in nobody's way, nor are those
// of `updates`, by array (pass_find_updates; NULL: none).
bool pass_memory_is_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front,
                          const uint8_t *updates);
// The same for passes that run in invocations of their own, each with what local arrays it declares.
bool pass_runs_are_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front,
                         const uint8_t *updates);
// The same, shown by playing the passes, few as they are (permuted.c).
bool pass_is_permuted(const struct pass_scope *sc, ir_stmt loop);
// The loop around nothing but a parallel one goes inside of it (interchange.c); false: it may not.
bool pass_move_inside(struct pass_cx *p, struct pass_scope *sc, ir_stmt loop);
// A pass loads nothing that an access of `in_front` stores.
bool pass_loads_are_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front);
// In one dimension they have subscripts that are never the same, of variables that are neither in `changed` (bit set)
// nor the counter: members of a structure, columns of an array.
bool pass_in_other_column(const struct pass_access *a, const struct pass_access *b, const uint32_t *changed,
                          ir_var counter);

// ---- analyses (util.c, exposed.c, copies.c, dead.c) -----------------------------------------------------------------
bool pass_has_updates(const struct ir_unit *u, ir_stmt block); // an ATOMIC anywhere in it
// Sequential code by itself, without what stands in it: it assigns, stores, branches or jumps; nothing is atomic, nor
// says it anything to the user.
bool pass_is_plain(const struct ir_unit *u, ir_stmt s);
// An ATOMIC, or an access under `omp atomic`: else the block may treat arrays of others' atomic accesses as plain ones.
bool pass_is_atomic(const struct ir_unit *u, ir_stmt block);
// Iterations of a PARFOR, if all its bounds are constants; UINT32_MAX: that many or more.
bool pass_iterations(const struct pass_scope *sc, ir_stmt parfor, uint64_t *out);
// What they cannot exceed; INT32_MAX, which is all that a dispatch numbers: that many, or it is not known.
uint64_t pass_most_iterations(const struct pass_scope *sc, ir_stmt parfor);
// Passes of a serial loop whose loads should be under way at once, `usual` times a power of two: as many as `usual`
// are of all invocations that keep the device busy (J. Little, Operations Research 9, 1961), but no more than `most`.
uint32_t pass_passes_in_flight(const struct pass_cx *p, uint64_t invocations, uint32_t usual, uint32_t most);
// Elements of the array's dimensions from `from` on; UINT64_MAX: not constant, or more than `most` (below 2^32).
uint64_t pass_elements(const struct ir_unit *u, ir_array a, uint32_t from, uint64_t most);
// The least multiple of `passes` after which a counter that grows by `step` is what it was, modulo `modulus`.
uint64_t pass_least_passes(uint64_t passes, uint64_t step, uint32_t modulus);
// So many steps of a FOR are one that 32 bits hold: of a loop from -2e9 to 2e9 that makes few of them, they may not be.
bool pass_fits_step(int32_t step, uint64_t passes);
// A LOOP on a flag, as canonicalise leaves them around parallel loops: the flag may be asked between passes, too.
bool pass_is_open_loop(const struct ir_unit *u, ir_stmt s);
// A BREAK or CONTINUE that belongs to the loop whose body this is.
bool pass_leaves_loop(const struct ir_unit *u, ir_stmt body);
// The same of one statement in it.
bool pass_may_leave(const struct ir_unit *u, ir_stmt s);
// columns.c: some of the loops, in the parallel one that the scope has entered, loads down a column, and none along a
// row of the iteration's own.
bool pass_walks_columns(struct pass_scope *sc, ir_stmt parfor, const ir_stmt *loops, uint32_t count);
// walks.c: passes that a loop from 0 can make at most, by the arrays that it indexes in each; 0: not known.
uint32_t pass_most_walked(const struct ir_unit *u, ir_stmt loop);
// ... that a loop whose counter is never below 0 has any use for, as no other does anything: it would store behind the
// end of an array. 0: not known.
uint32_t pass_most_felt(struct ir_unit *u, ir_stmt loop);
// until.c: passes of a LOOP of the block, in front of which the scope is, at most; UINT64_MAX: nobody knows.
uint64_t pass_until_passes(struct pass_scope *sc, ir_stmt block, ir_stmt s);
// The same of a dimension of a parallel loop whose end is no constant.
uint32_t pass_most_of_dim(const struct ir_unit *u, ir_stmt parfor, uint32_t d);
// The least size of those that the variable is an index of whenever the block is run; 0: there is none.
uint32_t pass_most_indexed(const struct ir_unit *u, ir_stmt block, ir_var counter);
// The same of a variable that is never below 0, to which an index may add a constant.
uint32_t pass_most_from_0(const struct ir_unit *u, ir_stmt block, ir_var counter);
// The two neighbouring PARFORs may become one, whatever they do to `except` (0: none); else *out_culprit is the array
// in the way, or 0.
bool pass_may_fuse(struct pass_scope *sc, ir_stmt first, ir_stmt second, ir_array except, ir_array *out_culprit);
// Sequential loops inside of the PARFOR's iterations that go over the same values become one. -> any did
bool pass_fuse_inside(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor);
// Dimensions at the beginning of both PARFORs that are alike.
uint32_t pass_common_dims(const struct ir_unit *u, const struct ir_stmt_node *a, const struct ir_stmt_node *b);
// The second PARFOR, next to the first one and over the same space, becomes a part of it; both without reductions.
void pass_fuse_two(struct ir_unit *u, ir_stmt first, ir_stmt second);
// The same with a copy of the program, to try passes on; nobody reads what they say.
struct pass_cx pass_copy(const struct pass_cx *p);
// What the block is in a kernel's text (choose.c): nodes of expressions; branches, weighed by what drivers need to
// compile them; sines, cosines and tangents of what is not known; atomic additions to floats, which are branches, too.
struct pass_text {
    uint32_t nodes, branches, angles, tries;
};
// `indices`, by variable: those whose values are known there, as in a copy of a loop's body (NULL: none).
struct pass_text pass_text_of(struct ir_unit *u, ir_stmt block, const bool *indices);
// A copy of code at entry level with names of its own for what is private to its parallel loops, and for counters of
// loops.
ir_stmt pass_copy_phases(struct ir_unit *u, ir_stmt block);
// covers.c: the PARFORs that store each element of an array, in whatever order.
struct pass_cover {
    ir_stmt parfor;
    ir_array array;
};
struct pass_covered {
    struct pass_cover *list;
    uint32_t count, cap;
};
void pass_find_covered(struct ir_unit *u, struct pass_covered *out);
bool pass_covers(const struct pass_covered *x, ir_stmt parfor, ir_array a);
// A PARFOR or COMBINE anywhere inside.
bool pass_has_parallel(const struct ir_unit *u, ir_stmt block);
// By array: a local one that is declared in the body of the FOR, so that in C each of its passes has its own. NULL:
// there is none.
const bool *pass_own_locals(const struct ir_unit *u, ir_stmt loop);
// Passes of the FOR write a local array that is none of these.
bool pass_writes_local(const struct ir_unit *u, ir_stmt loop);
// A FOR among the block's own statements.
bool pass_has_loop(const struct ir_unit *u, ir_stmt block);
// Variables that the block may read before it has surely assigned them (bit set over variables).
uint32_t *pass_exposed(const struct ir_unit *u, ir_stmt block);
// A pass of a loop with this body takes a variable's value from the one before.
bool pass_hands_on(const struct ir_unit *u, ir_stmt body);
// Neither of the two statements writes what the other reads or writes: they may change places. Or no array, at least.
bool pass_arrays_apart(const struct ir_effects *a, const struct ir_effects *b);
bool pass_effects_apart(const struct ir_effects *a, const struct ir_effects *b);
bool pass_independent(struct ir_unit *u, ir_stmt first, ir_stmt second);
// The statement stands inside a FOR or LOOP of the block that may make more than one pass.
bool pass_in_loop(const struct pass_scope *sc, ir_stmt block, ir_stmt wanted);
// The expression is made of constants and scalars of the run alone.
bool pass_is_of_run(const struct ir_unit *u, ir_expr e);
// Its value, made of constants and of variables whose values are known; false: of more, or C leaves it open. Or of one
// variable alone.
bool pass_evaluate(const struct ir_unit *u, ir_expr e, bool (*value)(void *user, ir_var v, uint32_t *out), void *user,
                   uint32_t *out);
bool pass_evaluate_at(const struct ir_unit *u, ir_expr e, ir_var v, uint32_t value, uint32_t *out);
// It loads something.
bool pass_has_load(const struct ir_unit *u, ir_expr e);
// Statements of the block, nested ones included, that write the variable.
uint32_t pass_count_writes(const struct ir_unit *u, ir_stmt block, ir_var v);
// What an expression costs: its nodes, its operations (PASS_RECOMPUTE_COSTLY for a function), its loads. It is not
// looked at beyond PASS_RECOMPUTE_NODES nodes.
struct pass_weight {
    uint32_t nodes, work, loads;
};
struct pass_weight pass_weight_of(const struct ir_unit *u, ir_expr e);
// Statements in the block, nested ones included.
uint32_t pass_size(const struct ir_unit *u, ir_stmt block);
// How often each variable is read in the expression, or in the block (adds to `counts`).
void pass_count_expr_reads(const struct ir_unit *u, ir_expr e, uint32_t *counts);
void pass_count_reads(const struct ir_unit *u, ir_stmt block, uint32_t *counts);
// Removes assignments to variables and stores to private arrays that nothing reads, and statements left empty.
void pass_remove_dead(struct ir_unit *u);
// forward.c: bounds of parallel loops at entry level become what the variables in them are made of, where the host can
// compute that. For a tree of dispatches.
void pass_forward_bounds(struct ir_unit *u);
// Variables that are private to the block: assigned before read inside, not read outside of it; total_reads counts
// reads in the whole unit. Each clone of the block gets some of its own.
struct pass_privates {
    ir_var *vars, *map;
    uint32_t count;
};
struct pass_privates pass_privates_of(struct ir_unit *u, ir_stmt block, const uint32_t *total_reads,
                                      uint32_t total_count);
ir_stmt pass_clone_private(struct ir_unit *u, ir_stmt block, const struct pass_privates *p);
// A clone of the statement, without what follows it, that has the same variables.
ir_stmt pass_clone_one(struct ir_unit *u, ir_stmt s);
// ... of the statements from the first one to the end, which is not cloned.
ir_stmt pass_clone_until(struct ir_unit *u, ir_stmt first, ir_stmt end);
// A clone of the entry level's block as a part of an iteration: what it assigns there are variables of its own.
ir_stmt pass_clone_inside(struct ir_unit *u, ir_stmt block);
// An element's place is known as soon as the FOR's counter is: nothing else in its indices changes in the loop, whose
// body's effects these are. *out_moves: they mention the counter (prefetch.c).
bool pass_place_is_known(const struct ir_unit *u, ir_stmt loop, const struct ir_effects *inside,
                         const uint32_t *indices, uint32_t n, bool *out_moves);
bool pass_is_var(const struct ir_unit *u, ir_expr e, ir_var v);      // a read of v
uint32_t pass_uses_in(const struct ir_unit *u, ir_expr e, ir_var v); // reads of v in the expression (simd.c)
// What an assignment at the top of the block sets the variable to, the first of them; 0: there is none.
ir_expr pass_set_to(const struct ir_unit *u, ir_stmt block, ir_var v);
// Replaces reads of a variable by an expression, in place.
void pass_substitute(struct ir_unit *u, ir_stmt block, ir_var var, ir_expr value);
// The expression with `to` wherever it is `from` as it stands.
ir_expr pass_exchanged(struct ir_unit *u, ir_expr e, ir_expr from, ir_expr to);
// Loads of one array become loads of another with the same indices, in place.
void pass_rename_loads(struct ir_unit *u, ir_stmt block, ir_array from, ir_array to);
// Puts variables in the place of loads (hoist.c).
void pass_replace_loads(struct ir_unit *u, ir_stmt block, const ir_expr *loads, const ir_var *vars, uint32_t count);
// Words that a loop keeps alive anyway (hoist.c).
uint32_t pass_live_words(struct ir_unit *u, ir_stmt loop);
// pass_collapse would make an inner loop of the PARFOR, in whose block the scope is, a dimension (collapse.c).
bool pass_collapses(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor);
// Makes loops over elements, inside of loops over rows, dimensions, however many iterations there are. -> any was
bool pass_collapse_elements(struct pass_cx *p);
// Makes inner loops of the PARFOR dimensions, however many iterations there are, and tells whether pass_jam would make
// some of them one along both of two dimensions. For copies of the program.
bool pass_makes_product(struct pass_cx *p, ir_stmt parfor);
// Iterations of the PARFOR, in front of whose block the scope is, that pass_jam would make one, side by side along two
// dimensions that both share loads, if there were `times` as many; 1: it would not (jam.c).
uint32_t pass_jams(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor, uint64_t times);
// Calls fn for each PARFOR of the unit, with the scope entered down to it (loops around it included) but not its own
// dims.
void pass_each_parfor(struct pass_scope *sc, void (*fn)(void *user, struct pass_scope *sc, ir_stmt parfor), void *user);

#endif
