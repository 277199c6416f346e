// How many workgroups a grid kernel gets on a device that was probed.
//
// More of them make barriers dearer and phases shorter, until memory is busy. Of the numbers that the probe timed, this
// takes the one with the least cost of a barrier and the widest phase. A phase takes the longer of two: its passes,
// or its bytes, which move a little faster the more loads are under way.
//
// The probe's latency_ns is not taken for the time of a pass: a pass waits for memory more than once, or not at all. In
// the one run that took it (nvidia-h200-2026-11-23.json), kernels of the same text made evolve_rastrigin_2000 in 4.50
// ms instead of 4.00.
#include "run/execute/execute.h"

static const double bytes = 8;           // guess: of an invocation of the widest phase, a float read and one written
static const double more_groups = 0.035; // guess, fitted to experiments-nvidia-h200-2026-11-22.txt (gN), as bytes
static const double pass_ns = 500;       // guess, fitted to the same file

uint32_t run_grid_best_groups(const struct run_probe *probe, double widest, uint32_t workgroup_size,
                              uint32_t otherwise) {
    double least = 0;
    uint32_t best = otherwise;
    for (size_t i = 0; i < sizeof probe->grid_sizes / sizeof *probe->grid_sizes; i++) {
        const struct whorl_grid_size *size = &probe->grid_sizes[i];
        if (size->groups == 0 || size->barrier_ns <= 0 || size->groups > probe->grid_groups_max) continue;
        double stride = (double)size->groups * workgroup_size;
        double waits = (double)(uint64_t)((widest + stride - 1) / stride) * pass_ns;
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
