// A strategy's tree, walked without recursion, so that a run can stop anywhere, submit, and go on, or start in the
// middle where a grid kernel had come to.
//
// A while is tested on the host. A wait for each pass would cost more than the pass, so after each test some passes are
// granted, twice as many each time; kernels of a pass too many do nothing (plan.h). Inside a while that is over, the
// words of inner whiles no longer change, so a test always asks all whiles around it.
//
// A dispatch whose iteration count the device computes waits for that: the host reads the words that the count depends
// on, as it reads those of the whiles around. What no kernel has stored since then is not read again.

#include "run/session/schedule.h"

#include <string.h>

static void know_nothing(struct run_walk *w) { memset(w->known, 0, sizeof w->known); }

void run_walk_start(struct run_walk *w, const struct plan_node *root) {
    know_nothing(w);
    w->depth = 1;
    w->frames[0] = (struct run_frame){.node = root, .count = -1};
}

static bool is_known(const struct run_walk *w, uint32_t scalar) { return w->known[scalar / 32] >> scalar % 32 & 1; }

// What the kernel may store is not known any more.
static void forget_sets(const struct plan *p, struct run_walk *w, const struct plan_kernel *k) {
    for (uint32_t i = 0; i < p->scalar_count; i++)
        if (is_known(w, i) && plan_may_set(p, k, i)) w->known[i / 32] &= ~(1u << i % 32);
}

static bool is_while(const struct run_frame *frame) { return frame->node->kind == PLAN_WHILE; }

// The words that the node's dispatch waits for: indices of scalars.
static uint32_t states_of(const struct plan *p, const struct plan_node *node, uint32_t out[PLAN_MAX_STATES + 1]) {
    return node->kind == PLAN_DISPATCH ? plan_states(p, p->kernels[node->kernel].iterations, out, 0) : 0;
}

// They are what the host knows already.
static bool are_known(const struct run_walk *w, const uint32_t *states, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!is_known(w, states[i])) return false;
    return true;
}

void run_walk_words(const struct plan *plan, const struct run_walk *w, struct run_words *out) {
    uint32_t states[PLAN_MAX_STATES + 1], count = states_of(plan, w->frames[w->depth - 1].node, states);
    out->count = 0;
    for (uint32_t i = 0; i < w->depth; i++)
        if (is_while(&w->frames[i])) out->at[out->count++] = w->frames[i].node->word;
    for (uint32_t i = 0; i < count; i++)
        out->at[out->count++] = plan->scalars[states[i]].word;
}

// The variable of a loop that is being entered, or goes on.
static void set_repeat(struct run_scalars *v, const struct run_frame *frame) {
    uint32_t scalar = frame->node->scalar;
    v->values[scalar] = frame->lo + frame->k * (int64_t)frame->node->step;
    v->repeats[v->plan->scalars[scalar].word] = (uint32_t)v->values[scalar];
}

// What was read of the words of a count, also where a while around is over.
static void take_states(struct run_scalars *v, struct run_walk *w, const uint32_t *states, uint32_t count,
                        const uint32_t *words) {
    for (uint32_t i = 0; i < count; i++) {
        bool is_signed = v->plan->scalars[states[i]].dtype == WHORL_I32;
        v->values[states[i]] = is_signed ? (int64_t)(int32_t)words[i] : (int64_t)words[i];
        w->known[states[i] / 32] |= 1u << states[i] % 32;
    }
}

void run_walk_decide(struct run_scalars *v, struct run_walk *w, const struct run_words *words) {
    struct run_frame *frame = &w->frames[w->depth - 1]; // the one that asked
    uint32_t states[PLAN_MAX_STATES + 1], count = states_of(v->plan, frame->node, states), seen = 0, whiles = 0;
    for (uint32_t i = 0; i < w->depth; i++)
        whiles += is_while(&w->frames[i]);
    take_states(v, w, states, count, words->values + whiles);
    for (uint32_t i = 0; i < w->depth; i++) {
        if (!is_while(&w->frames[i])) continue;
        if (words->values[seen++] == 0) {
            w->depth = i;
            return;
        }
    }
    if (count) {
        frame->ahead = 1;
        return;
    }
    frame->ahead = w->one_by_one ? 1 : frame->grant;
    if (frame->grant < RUN_WHILE_AHEAD) frame->grant *= 2;
}

void run_walk_tighten(struct run_walk *w) {
    for (uint32_t i = 0; i < w->depth; i++) {
        w->frames[i].ahead = 0;
        w->frames[i].grant = w->frames[i].grant > 1 ? w->frames[i].grant / 2 : 1;
    }
}

static enum whorl_status out_of_range(struct whorl_error *err, const char *what, const char *name) {
    return base_set_error(err, WHORL_INVALID, "run", "%s of '%s' is out of range for these scalars", what, name);
}

// Enters a loop: its bounds are taken once, its variable is set by `repeat`.
static enum whorl_status enter_loop(const struct run_scalars *v, struct run_frame *frame, struct whorl_error *err) {
    const struct plan_node *node = frame->node;
    const struct plan_scalar *scalar = &v->plan->scalars[node->scalar];
    int64_t low = scalar->dtype == WHORL_I32 ? INT32_MIN : 0,
            high = scalar->dtype == WHORL_I32 ? INT32_MAX : UINT32_MAX;
    if (!plan_eval(v->plan, node->lo, v->values, &frame->lo) ||
        !plan_eval(v->plan, node->count, v->values, &frame->count))
        return out_of_range(err, "the bounds of loop", scalar->name);
    if (frame->count < 0) frame->count = 0;
    if (frame->count == 0) return WHORL_OK;
    // With both ends in range, so is every value between; 2^33 passes bound the product.
    if (frame->lo < low || frame->lo > high || frame->count > (int64_t)1 << 33)
        return out_of_range(err, "the bounds of loop", scalar->name);
    int64_t last = frame->lo + (frame->count - 1) * (int64_t)node->step;
    return last < low || last > high ? out_of_range(err, "the bounds of loop", scalar->name) : WHORL_OK;
}

enum whorl_status run_walk_item(const struct run_scalars *v, uint32_t kernel, struct run_item *out,
                                struct whorl_error *err) {
    const struct plan_kernel *k = &v->plan->kernels[kernel];
    int64_t iterations;
    if (!plan_eval(v->plan, k->iterations, v->values, &iterations) || iterations > (int64_t)UINT32_MAX)
        return out_of_range(err, "the iteration count", k->origin);
    *out = (struct run_item){.kernel = kernel, .iterations = iterations < 0 ? 0 : (uint32_t)iterations};
    return WHORL_OK;
}

enum whorl_status run_walk_next(struct run_scalars *v, struct run_walk *w, struct run_item *out, bool *out_done,
                                struct whorl_error *err) {
    *out_done = false;
    while (w->depth) {
        struct run_frame *frame = &w->frames[w->depth - 1];
        const struct plan_node *node = frame->node;
        if (node->kind == PLAN_DISPATCH) {
            uint32_t states[PLAN_MAX_STATES + 1];
            if (frame->ahead == 0 && !are_known(w, states, states_of(v->plan, node, states))) {
                *out = (struct run_item){.is_test = true};
                return WHORL_OK;
            }
            w->depth--;
            enum whorl_status status = run_walk_item(v, node->kernel, out, err);
            forget_sets(v->plan, w, &v->plan->kernels[node->kernel]);
            if (status != WHORL_OK || out->iterations) return status;
            continue;
        }
        if (frame->count < 0) { // first visit
            frame->count = node->kind == PLAN_WHILE ? INT64_MAX : 1;
            if (node->kind == PLAN_WHILE) know_nothing(w);
            frame->ahead = w->one_by_one ? 0 : 1;
            frame->grant = 2;
            enum whorl_status status = node->kind == PLAN_LOOP ? enter_loop(v, frame, err) : WHORL_OK;
            if (status != WHORL_OK) return status;
        } else if (frame->child == node->child_count) {
            frame->child = 0;
            frame->k++;
        }
        if (frame->k >= frame->count || node->child_count == 0) {
            w->depth--;
            continue;
        }
        if (is_while(frame) && frame->child == 0) { // its head
            if (frame->ahead == 0) {
                *out = (struct run_item){.is_test = true};
                return WHORL_OK;
            }
            frame->ahead--;
        }
        if (node->kind == PLAN_LOOP) set_repeat(v, frame);
        if (w->depth == RUN_MAX_FRAMES)
            return base_set_error(err, WHORL_INVALID, "run", "the plan is nested too deeply");
        w->frames[w->depth++] = (struct run_frame){.node = &node->children[frame->child++], .count = -1};
    }
    *out_done = true;
    return WHORL_OK;
}

// ---- starting in the middle ----
static bool find_point(struct run_walk *w, const struct plan_node *node, uint32_t point) {
    if (w->depth == RUN_MAX_FRAMES) return false;
    struct run_frame *frame = &w->frames[w->depth++];
    *frame = (struct run_frame){.node = node, .count = 1, .grant = 1};
    if (node->resume == point) return true;
    for (uint32_t i = 0; node->kind != PLAN_DISPATCH && i < node->child_count; i++) {
        frame->child = i + 1; // what stands before is done, this one is under way
        if (find_point(w, &node->children[i], point)) return true;
    }
    w->depth--;
    return false;
}

// The pass that a loop's variable says it is in, or at the head of.
static bool enter_pass(struct run_scalars *v, struct run_frame *frame) {
    int64_t value = v->values[frame->node->scalar];
    if (enter_loop(v, frame, NULL) != WHORL_OK) return false;
    int64_t way = value - frame->lo, step = frame->node->step;
    frame->k = way / step;
    return way % step == 0 && frame->k >= 0 && frame->k <= frame->count;
}

bool run_walk_resume(struct run_scalars *v, struct run_walk *w, const struct plan_node *root,
                     const struct plan_grid *grid, const uint32_t *saved) {
    know_nothing(w);
    w->depth = 0;
    if (grid->saved_count == 0 || saved[0] == 0 || !find_point(w, root, saved[0])) return false;
    for (uint32_t i = 1; i < grid->saved_count; i++) {
        uint32_t scalar = grid->saved[i].index;
        if (grid->saved[i].kind == PLAN_SAVED_COUNTER)
            v->values[scalar] =
                v->plan->scalars[scalar].dtype == WHORL_I32 ? (int64_t)(int32_t)saved[i] : (int64_t)saved[i];
    }
    for (uint32_t i = 0; i < w->depth; i++) {
        struct run_frame *frame = &w->frames[i];
        if (is_while(frame)) frame->count = INT64_MAX;
        if (frame->node->kind != PLAN_LOOP) continue;
        if (!enter_pass(v, frame)) return false;
        set_repeat(v, frame);
    }
    return true;
}

// Only what run_walk_next can leave behind: every node entered, every pass of a loop one that it has.
bool run_walk_restore(struct run_scalars *v, struct run_walk *w, const struct plan_node *root,
                      const struct run_frame_words *words) {
    const struct run_frame *outer = w->depth ? &w->frames[w->depth - 1] : NULL;
    if (w->depth == RUN_MAX_FRAMES || (outer && outer->child == 0)) return false;
    const struct plan_node *node = outer ? &outer->node->children[outer->child - 1] : root;
    struct run_frame frame = {.node = node, .count = node->kind == PLAN_WHILE ? INT64_MAX : 1};
    uint32_t states[PLAN_MAX_STATES + 1];
    if (states_of(v->plan, node, states)) { // a dispatch that waits for words has no other state
        w->frames[w->depth++] = (struct run_frame){.node = node, .count = -1};
        return words->child == 0 && words->k == 0 && words->ahead == 0 && words->grant == 0;
    }
    if (node->kind == PLAN_DISPATCH || words->child > node->child_count || words->ahead > 2 * RUN_WHILE_AHEAD ||
        words->grant < 1 || words->grant > 2 * RUN_WHILE_AHEAD || (words->child == 0 && node->kind != PLAN_WHILE))
        return false;
    if (node->kind == PLAN_LOOP && enter_loop(v, &frame, NULL) != WHORL_OK) return false;
    if (words->k > INT64_MAX || (int64_t)words->k >= frame.count) return false;
    frame.child = (uint32_t)words->child;
    frame.k = (int64_t)words->k;
    frame.ahead = (uint32_t)words->ahead;
    frame.grant = (uint32_t)words->grant;
    if (node->kind == PLAN_LOOP) set_repeat(v, &frame);
    w->frames[w->depth++] = frame;
    return true;
}

double run_item_work(const struct plan *plan, const struct run_item *item) {
    uint64_t ticks = plan->kernels[item->kernel].ticks;
    return (double)item->iterations * (double)(ticks ? ticks : 1);
}

// False: data decide how much it is.
static bool sum(const struct run_scalars *v, const struct plan_node *node, int64_t *values, double *dispatches,
                double *work) {
    if (node->kind == PLAN_DISPATCH) {
        int64_t n;
        uint32_t states[PLAN_MAX_STATES + 1];
        if (!plan_eval(v->plan, v->plan->kernels[node->kernel].iterations, values, &n)) return true;
        bool known = states_of(v->plan, node, states) == 0;
        if (n <= 0 && !known) n = 1; // nobody has looked yet
        if (n <= 0) return true;
        struct run_item item = {.kernel = node->kernel, .iterations = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n};
        *dispatches += 1;
        *work += run_item_work(v->plan, &item);
        return known;
    }
    double inner_dispatches = 0, inner_work = 0;
    int64_t count = 1, lo = 0, kept = 0;
    bool known = node->kind != PLAN_WHILE;
    if (node->kind == PLAN_LOOP) {
        if (!plan_eval(v->plan, node->count, values, &count) || !plan_eval(v->plan, node->lo, values, &lo) ||
            count <= 0)
            return true;
        kept = values[node->scalar];
        bool small = count < (int64_t)1 << 31 && lo < (int64_t)1 << 33 && lo > -((int64_t)1 << 33);
        values[node->scalar] = small ? lo + count / 2 * node->step : lo; // what is inside may depend on it
    }
    for (uint32_t i = 0; i < node->child_count; i++)
        known = sum(v, &node->children[i], values, &inner_dispatches, &inner_work) && known;
    if (node->kind == PLAN_LOOP) values[node->scalar] = kept; // a walk may be under way
    *dispatches += (double)count * inner_dispatches * (node->kind == PLAN_WHILE ? RUN_WHILE_AHEAD : 1);
    *work += (double)count * inner_work;
    return known;
}

void run_walk_sum(const struct run_scalars *v, const struct plan_node *root, double *out_dispatches, double *out_work) {
    *out_dispatches = *out_work = 0;
    if (!sum(v, root, v->values, out_dispatches, out_work)) *out_work = 0;
}
