// What `auto` takes, from what is known. See choice.h.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/samples.h"
#include "run/auto/choice.h"

bool run_choice_exists(const struct plan *plan) {
    if (!plan->single.exists || plan->single.same_as_steps) return false;
    return plan->single.fallback || plan->steps.exists;
}

// ---- the name of a plan ---------------------------------------------------------------------------------------------

struct namer {
    const struct plan *plan;
    const int64_t *values;
    uint64_t hash;
};

static void put(struct namer *n, uint64_t word) { n->hash = base_hash(n->hash, &word, sizeof word); }

static void put_expr(struct namer *n, plan_expr e) {
    int64_t value = -1; // not known where a loop or data decide: then the expression's index stands for it
    bool known = e && plan_is_fixed(n->plan, e) && plan_eval(n->plan, e, n->values, &value);
    put(n, known ? (uint64_t)value : ~(uint64_t)e);
}

static void put_tree(struct namer *n, const struct plan_node *node) {
    put(n, (uint64_t)node->kind);
    if (node->kind == PLAN_DISPATCH) {
        const struct plan_kernel *k = &n->plan->kernels[node->kernel];
        n->hash = base_hash(n->hash, k->wgsl, strlen(k->wgsl));
        put(n, k->workgroup_size);
        put_expr(n, k->iterations);
        return;
    }
    if (node->kind == PLAN_LOOP) put_expr(n, node->count);
    put(n, node->child_count);
    for (uint32_t i = 0; i < node->child_count; i++)
        put_tree(n, &node->children[i]);
}

uint64_t run_choice_key(const struct plan *plan, const int64_t *values) {
    struct namer n = {plan, values, BASE_HASH_START};
    put_tree(&n, &plan->single.root);
    put_tree(&n, plan->single.fallback ? plan->single.fallback : &plan->steps.root);
    for (uint32_t b = 0; b < plan->buffer_count; b++)
        put_expr(&n, plan->buffers[b].size_bytes);
    return n.hash;
}

// ---- what is predicted ----------------------------------------------------------------------------------------------

// What both ways cost, in dispatches of a phase. `single` waits for what workgroups share past the nearest cache, and
// loads some of it again. The parts are a dispatch each, and the host reads a word before one whose number of
// iterations is found on the way, and before each pass of a loop that data end. Besides, all phases of `single` have
// workgroups of one size and the registers of the greediest. That costs a share of the whole time, which nobody
// foresees, and a few dispatches are not worth it.
//
// No clock has a say here, not even that of the probe: bits may differ between the two, and must not change with a
// measurement. The numbers are those that fit 403 programs with barriers on an H200, each measured both ways
// (bench/results/experiments-nvidia-h200-2026-11-29-auto.txt), and 282 on an H100 with the kernels of a day before
// (experiments-nvidia-h100-2026-11-28-auto.txt); 24 to 32 dispatches, 80 to 120 waits and 24 to 48 MB make much the
// same choices. bench/predicted.py has the table of others.
enum {
    FEW_DISPATCHES = 32,  // guess
    DISPATCH_WAITS = 100, // guess: what a dispatch costs, in waits for memory past the nearest cache
    DISPATCH_MB = 24,     // guess: ... in megabytes that are loaded again
    READ_DISPATCHES = 12, // guess: dispatches that reading a word costs
    UNKNOWN_PASSES = 64,  // guess: of a loop whose length is not known before the run
};

struct parts {
    const struct plan *plan;
    double dispatches, reads; // of the whole tree; numbers of iterations that the host reads
};

static void count_parts(struct parts *x, const struct plan_node *node, double times) {
    if (node->kind == PLAN_DISPATCH) {
        uint32_t states[PLAN_MAX_STATES + 1];
        x->dispatches += times;
        x->reads += plan_states(x->plan, x->plan->kernels[node->kernel].iterations, states, 0) ? times : 0;
        return;
    }
    if (node->kind == PLAN_WHILE) {
        times *= UNKNOWN_PASSES;
        x->reads += times; // whether it goes on
    }
    if (node->kind == PLAN_LOOP) {
        const struct plan_expr_node *count = &x->plan->exprs[node->count];
        times *= count->op != PLAN_CONST ? UNKNOWN_PASSES : count->value > 0 ? (double)count->value : 0;
    }
    for (uint32_t i = 0; i < node->child_count; i++)
        count_parts(x, &node->children[i], times);
}

// Both costs; false: they are few dispatches, whatever single costs.
static bool weigh(const struct plan *plan, double *out_single, double *out_parts) {
    struct parts x = {.plan = plan};
    count_parts(&x, plan->single.fallback, 1);
    double together = x.dispatches + READ_DISPATCHES * x.reads;
    *out_single = (double)plan->single.waits / DISPATCH_WAITS + (double)plan->single.again_bytes / (DISPATCH_MB * 1e6);
    *out_parts = x.dispatches > 0 ? together / x.dispatches : 1;
    return together > FEW_DISPATCHES;
}

static bool predicts_parts(bool is_software, const struct plan *plan) {
    double single, parts;
    if (is_software || !plan->single.fallback) return false;
    return !weigh(plan, &single, &parts) || single > parts;
}

// ---- what is known --------------------------------------------------------------------------------------------------

void run_choice_predict(bool is_software, const struct plan *plan, struct run_choice *out) {
    bool parts = !plan->single.exists || (run_choice_exists(plan) && predicts_parts(is_software, plan));
    *out = (struct run_choice){.from = RUN_CHOICE_NONE, .parts = parts};
}

void run_choice_find(struct whorl_device *device, const struct plan *plan, const int64_t *values,
                     struct run_choice *out) {
    struct run_choice known;
    run_choice_predict(device->info.is_software, plan, out);
    if (run_choice_exists(plan) && run_choices_load(device, run_choice_key(plan, values), &known)) *out = known;
}

static void ms_words(double ns, char out[32]) {
    snprintf(out, 32, ns < 1e6 ? "%.3g us" : "%.4g ms", ns * (ns < 1e6 ? 1e-3 : 1e-6));
}

void run_choice_words(const struct plan *plan, const struct run_choice *choice, char *out, size_t size) {
    char single[32], parts[32], groups[48] = "";
    const char *name = choice->parts ? "steps" : "single";
    if (!plan->single.exists) {
        snprintf(out, size, "steps: there is no single");
        return;
    }
    if (!run_choice_exists(plan)) {
        snprintf(out, size, "single: it is the same plan as steps");
        return;
    }
    if (choice->from == RUN_CHOICE_NONE && choice->parts) {
        double waits = (double)plan->single.waits, again = (double)plan->single.again_bytes * 1e-6, costs, saves;
        if (!weigh(plan, &costs, &saves))
            snprintf(out, size, "steps: predicted, as one dispatch saves only a few (whorl run --tune measures)");
        else if (waits / DISPATCH_WAITS > again / DISPATCH_MB)
            snprintf(out, size,
                     "steps: predicted, as each invocation of single would wait %.3g times in a phase for what "
                     "workgroups share (whorl run --tune measures)",
                     waits);
        else
            snprintf(out, size,
                     "steps: predicted, as a phase of single would load %.3g MB again past the nearest cache (whorl "
                     "run --tune measures)",
                     again);
        return;
    }
    if (choice->from == RUN_CHOICE_NONE) {
        snprintf(out, size, "%s: predicted, nothing was measured (whorl run --tune does)", name);
        return;
    }
    if (choice->from == RUN_CHOICE_WRONG) {
        snprintf(out, size,
                 "steps: single gave other integers here, a mistake of whorl (please report it) or a race of the "
                 "program (`whorl run --race`)");
        return;
    }
    if (choice->groups) snprintf(groups, sizeof groups, " with %u workgroup%s", choice->groups, base_s(choice->groups));
    ms_words(choice->single_ns, single);
    ms_words(choice->parts_ns, parts);
    snprintf(out, size, "%s%s: measured by --tune, single %s, steps %s", name, choice->parts ? "" : groups, single,
             parts);
}

// ---- decisions ------------------------------------------------------------------------------------------------------

uint32_t run_choice_pick(const struct whorl_time *times, uint32_t count) {
    uint32_t fastest = 0, first = 0;
    for (uint32_t i = 1; i < count; i++)
        if (times[i].ns < times[fastest].ns) fastest = i;
    while (times[first].low_ns > times[fastest].high_ns)
        first++;
    return first;
}

// The interval from the (k+1)th smallest to the (k+1)th largest misses the median if at most k samples lie on one side
// of it: twice the sum of the first k+1 binomial terms.
struct whorl_time run_median(double *samples, uint32_t count) {
    uint32_t skip = 0;
    double term = pow(0.5, count), missed = 2 * term; // of skip = 0
    base_sort_samples(samples, count);
    while (skip + 1 < count / 2) {
        term *= (double)(count - skip) / (skip + 1.0);
        if (missed + 2 * term > 0.05) break;
        missed += 2 * term;
        skip++;
    }
    double middle = base_median(samples, count);
    return (struct whorl_time){middle, samples[skip], samples[count - 1 - skip]};
}
