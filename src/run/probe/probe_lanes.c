// Can neighbours exchange values? Each group of lanes makes its own number of passes, and in each pass its lanes part
// for a while and then add up a value by a butterfly of subgroupShuffleXor, which is what an iteration on lanes does
// (pass/lanes/spread.c). Only where every result is right, for workgroups of both sizes that it uses, are so many lanes
// used.

#include "base/base.h"
#include "run/probe/probe.h"

enum { LANES_COUNT = 1024, LANES_MOST = 32, LANES_TEXT = 4096 };

// The loop that lanes part in reads x, which it writes: so it is written out here as it is there.
static void lanes_expected(uint32_t lanes, uint32_t first, uint32_t *out) {
    for (uint32_t l = 0; l < lanes; l++)
        out[l] = (first + l) * 2654435761u;
    for (uint32_t t = 0; t < 1 + first / lanes * 7 % 13; t++) {
        uint32_t sum = 0;
        for (uint32_t l = 0; l < lanes; l++) {
            if (out[l] & 128)
                for (uint32_t q = 0; q < (out[l] & 3); q++)
                    out[l] = out[l] * 747796405u + q;
            sum += out[l];
        }
        for (uint32_t l = 0; l < lanes; l++)
            out[l] = (out[l] ^ sum >> 3) * 5 + t;
        if ((sum & 15) == 0) return;
    }
}

static enum whorl_status lanes_right(struct whorl_session *s, uint32_t lanes, bool *out, struct whorl_error *err) {
    uint32_t got[LANES_COUNT], want[LANES_MOST];
    double seconds;
    enum whorl_status status = run_probe_once(s, lanes, 0, LANES_COUNT, 1, 1, &seconds, err);
    if (status == WHORL_OK) status = run_array_read(s, &s->plan->arrays[0], got, sizeof got, err);
    *out = status == WHORL_OK;
    for (uint32_t i = 0; i < LANES_COUNT && *out; i++) {
        if (i % lanes == 0) lanes_expected(lanes, i, want);
        *out = got[i] == want[i % lanes];
    }
    return status;
}

enum whorl_status run_probe_lanes(struct whorl_device *device, struct run_probe *out, struct whorl_error *err) {
    static const uint32_t sizes[] = {64, 256};
    char text[LANES_TEXT];
    uint32_t all = out->subgroup_size < LANES_MOST ? out->subgroup_size : LANES_MOST;
    out->subgroup_lanes = 0;
    bool usable = device->info.has_subgroups;
    for (int i = 0; i < 2 && usable && all >= 2 && sizes[i] <= device->info.max_invocations; i++) {
        struct probe_plan plan;
        struct whorl_session *s;
        uint32_t best = 0;
        bool right = true;
        run_probe_part(text, sizeof text, "lanes.wgsl", "", sizes[i]);
        run_probe_plan(&plan, text, 4 * LANES_COUNT);
        plan.kernel.workgroup_size = sizes[i];
        plan.kernel.subgroup = 1;
        if (run_probe_open(device, &plan, &s, NULL) != WHORL_OK) return WHORL_OK;
        enum whorl_status status = WHORL_OK;
        for (uint32_t lanes = 2; lanes <= all && right && status == WHORL_OK; lanes *= 2) {
            status = lanes_right(s, lanes, &right, err);
            if (right) best = lanes;
        }
        run_session_drop(s);
        if (status != WHORL_OK) return status;
        all = best;
    }
    if (usable && all >= 2) out->subgroup_lanes = all;
    return WHORL_OK;
}
