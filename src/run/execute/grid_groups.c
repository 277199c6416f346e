// How many workgroups a grid kernel gets on a device that was probed.
//
// More of them make barriers dearer and phases shorter, until memory is busy. Of the numbers that the probe timed, this
// takes the one with the least cost of a barrier and the widest phase. A phase takes the longer of two: its passes,
// each about as long as memory's answer, or its bytes, which move a little faster the more loads are under way.
#include "run/execute/execute.h"

static const double bytes = 8;           // guess: of an invocation of the widest phase, a float read and one written
static const double more_groups = 0.035; // guess, fitted to experiments-nvidia-h200-2026-11-22.txt (gN), as bytes
static const double latency_ns = 500;    // guess, where it was not measured

uint32_t run_grid_best_groups(const struct run_probe *probe, double widest, uint32_t workgroup_size,
                              uint32_t otherwise) {
    double answer_ns = probe->latency_ns > 0 ? probe->latency_ns : latency_ns, least = 0;
    uint32_t best = otherwise;
    for (size_t i = 0; i < sizeof probe->grid_sizes / sizeof *probe->grid_sizes; i++) {
        const struct whorl_grid_size *size = &probe->grid_sizes[i];
        if (size->groups == 0 || size->barrier_ns <= 0 || size->groups > probe->grid_groups_max) continue;
        double stride = (double)size->groups * workgroup_size;
        double waits = (double)(uint64_t)((widest + stride - 1) / stride) * answer_ns;
        double moves = probe->read_gbps > 0 ? widest * bytes / probe->read_gbps : 0;
        moves *= 1 + more_groups * probe->grid_groups_max / size->groups;
        double cost = size->barrier_ns + (waits > moves ? waits : moves);
        if (least == 0 || cost < least) {
            least = cost;
            best = size->groups;
        }
    }
    return best;
}
