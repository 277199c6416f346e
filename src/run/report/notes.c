// See notes.h. A note is one line for people: why it was not what was asked for, or what auto knew.
#include <stdio.h>

#include "run/report/notes.h"
#include "run/session/grid_slice.h"

static void note_choice(const struct whorl_session *s, struct whorl_stats *stats) {
    run_choice_words(s->plan, &s->choice, stats->note, sizeof stats->note);
}

void run_notes_begin(const struct whorl_session *s, struct whorl_stats *stats) {
    const struct plan *plan = s->plan;
    stats->strategy = s->strategy;
    stats->fell_back = s->asked == WHORL_SINGLE && s->strategy == WHORL_STEPS;
    const char *note = "";
    if (s->strategy == WHORL_SINGLE && plan->single.same_as_steps)
        note = "same plan as steps";
    else if ((s->asked == WHORL_SINGLE || s->asked == WHORL_AUTO) && s->strategy != WHORL_CPU && plan->single.note)
        note = plan->single.note;
    snprintf(stats->note, sizeof stats->note, "%s", note);
    bool measured = s->choice.from == RUN_CHOICE_TUNED;
    if (s->asked != WHORL_AUTO || (!measured && !s->choice.parts) || !run_choice_exists(plan)) return;
    note_choice(s, stats);
    if (s->choice.parts) stats->strategy = WHORL_STEPS;
}

// A grid kernel that was given up is no `single` any more, though its session is.
static void note_strategy(const struct whorl_session *s, struct whorl_stats *stats) {
    const struct run_grid *g = s->res.grid;
    stats->strategy = s->strategy;
    if (!g || !g->abandoned || stats->fell_back) return;
    stats->strategy = WHORL_STEPS;
    stats->fell_back = !s->choice.parts;
    if (stats->fell_back)
        snprintf(stats->note, sizeof stats->note, "%s; dispatches of its parts finished the work", g->why);
    else
        note_choice(s, stats);
}

void run_notes_end(const struct whorl_session *s, uint32_t calls, struct whorl_stats *stats) {
    const struct run_progress *p = &s->progress;
    const struct run_gpu *g = s->res.gpu;
    note_strategy(s, stats);
    stats->dispatches += g->counts.dispatches - p->dispatches_before;
    stats->submits += g->counts.submits - p->submits_before;
    stats->slices = p->slices ? p->slices : calls;
    if (p->first_submit_s > 0 && p->last_done_s > p->first_submit_s)
        stats->execute_ms += (p->last_done_s - p->first_submit_s) * 1e3;
}
