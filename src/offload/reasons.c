// What WHORL=verbose says of a region in the end: its calls on the GPU, and those on the CPU for each reason by itself.
// A region of many calls may have several: it was timed on the CPU, then it was faster there for one size, and for
// another one its memory was not known.
#include <stdio.h>
#include <string.h>

#include "offload/offload.h"

static const char *s(uint64_t count) { return count == 1 ? "" : "s"; }

// The words before a colon are the reason, those behind it what was measured: the newest stay.
void offload_note_left(struct offload_state *state) {
    size_t size = strcspn(state->why, ":");
    uint32_t i = 0;
    while (i < state->reason_count &&
           (strncmp(state->reasons[i].text, state->why, size) != 0 || strcspn(state->reasons[i].text, ":") != size))
        i++;
    if (i == OFFLOAD_REASONS) {
        state->other_calls++;
        return;
    }
    if (i == state->reason_count) state->reason_count++;
    memcpy(state->reasons[i].text, state->why, sizeof state->why);
    state->reasons[i].calls++;
}

// Both sides were measured: the last of the region's programs for which they were.
static const struct offload_variant *measured(const struct offload_state *state) {
    const struct offload_variant *found = NULL;
    for (uint32_t k = 0; k < state->variant_count; k++)
        if (state->variants[k]->cpu_calls && state->variants[k]->gpu_s > 0) found = state->variants[k];
    return found;
}

void offload_say_region(const struct offload_state *state) {
    const struct whorl_cc_region *r = state->region;
    const struct offload_variant *v = measured(state);
    if (state->runs) {
        fprintf(stderr, "whorl: %s:%d: GPU, %llu call%s, %llu dispatch%s, %.3g MB there, %.3g MB back", r->file,
                r->line, (unsigned long long)state->runs, s(state->runs), (unsigned long long)state->dispatches,
                state->dispatches == 1 ? "" : "es", 1e-6 * (double)state->bytes_there,
                1e-6 * (double)state->bytes_back);
        if (v) fprintf(stderr, "; %.3g ms a call, the CPU takes %.3g ms", v->gpu_s * 1e3, v->cpu_s * 1e3);
        fputc('\n', stderr);
    }
    static const char *const sides[] = {"CPU", "the loop's regions one by one", "the block's regions one by one"};
    const char *side = sides[r->is_loop];
    for (uint32_t i = 0; i < state->reason_count; i++)
        fprintf(stderr, "whorl: %s:%d: %s, %llu call%s: %s\n", r->file, r->line, side,
                (unsigned long long)state->reasons[i].calls, s(state->reasons[i].calls), state->reasons[i].text);
    if (state->other_calls)
        fprintf(stderr, "whorl: %s:%d: %s, %llu call%s: other reasons\n", r->file, r->line, side,
                (unsigned long long)state->other_calls, s(state->other_calls));
}
