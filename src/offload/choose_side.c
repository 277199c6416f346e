// Whether a region is faster on the CPU: measured, because nobody knows beforehand. The first calls run on the GPU; if
// they are short, two are timed on the CPU. From then on the faster of the two runs, and the other one is timed again
// now and then.
#include <time.h>

#include "offload/offload.h"

enum { WARM_CALLS = 2, CPU_CALLS = 2, AGAIN_CALLS = 64 }; // its first call may start the threads
enum { ASSERTS = 2, ASKED_CALLS = 8 };
static const double short_s = 0.05; // a CPU that is a hundred times slower may cost this much more, once

double offload_now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_time_to_measure(uint64_t calls) { return calls >= AGAIN_CALLS && (calls & (calls - 1)) == 0; }

enum offload_side offload_choose(const struct offload_variant *v) {
    if (v->calls <= WARM_CALLS || v->gpu_s > short_s) return OFFLOAD_GPU;
    if (v->cpu_calls == 0 || (v->cpu_calls < CPU_CALLS && v->cpu_s < short_s)) return OFFLOAD_CPU_TIMED;
    bool other = is_time_to_measure(v->calls);
    if (v->cpu_s < v->gpu_s) return other ? OFFLOAD_GPU : OFFLOAD_CPU;
    return other && v->cpu_s < short_s ? OFFLOAD_CPU_TIMED : OFFLOAD_GPU;
}

// A region that came to an assert in its last runs comes to it again, as far as anybody knows: it is tried now and
// then.
bool offload_will_assert(struct offload_state *state) {
    if (state->asserted < ASSERTS) return false;
    uint64_t calls = ++state->passed_over;
    return calls < ASKED_CALLS || (calls & (calls - 1)) != 0;
}
void offload_note_assert(struct offload_state *state, bool failed) {
    state->asserted = failed ? state->asserted + 1 : 0;
    if (!failed) state->passed_over = 0;
}

// The shortest counts: what else the machine does only makes it longer. The first call makes kernels. A call's time is
// known when the next one begins: what the program asked back in between belongs to it.
void offload_note_gpu(struct offload_variant *v) {
    double seconds = v->call_s + v->late_s;
    if (v->done > 1 && v->call_s > 0 && (v->gpu_s == 0 || seconds < v->gpu_s)) v->gpu_s = seconds;
    v->call_s = v->late_s = 0;
}
void offload_note_cpu(struct offload_variant *v, double seconds) {
    if (v->cpu_calls++ == 0 || seconds < v->cpu_s) v->cpu_s = seconds;
}
