// Numbers of workgroups from what the probe found on an H200: those that were fastest there, or within a few per cent.
#include "check.h"
#include "run/execute/execute.h"

static const struct run_probe h200 = {
    .read_gbps = 1988,
    .grid_groups_max = 1056,
    .grid_size_count = 4,
    .grid_sizes = {{132, 595}, {264, 649}, {528, 865}, {1056, 1440}},
};

TEST(an_h200) {
    static const struct {
        double widest;
        uint32_t groups; // bench/results/experiments-nvidia-h200-2026-11-22.txt, 1, 3, 4 and 5
    } cases[] = {
        {1024 * 32, 132},    // evolve_rastrigin_32
        {2048 * 32, 264},    // matvec_chain
        {256 * 256, 264},    // heat_256
        {1024 * 1024, 528},  // heat_1024
        {4096 * 4096, 1056}, // heat_4096
        {4096 * 32, 528},    // evolve_rastrigin_2000
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CHECK_EQ_INT(cases[k].groups, run_grid_best_groups(&h200, cases[k].widest, 256, 264));
}

TEST(cheap_barriers_ask_for_more) {
    struct run_probe probe = h200;
    for (size_t k = 0; k < 4; k++)
        probe.grid_sizes[k].barrier_ns /= 100;
    CHECK_EQ_INT(264, run_grid_best_groups(&probe, 65536, 256, 132));
    CHECK_EQ_INT(1056, run_grid_best_groups(&probe, 1048576, 256, 132));
}

TEST(what_cannot_be_taken) {
    struct run_probe probe = h200;
    probe.grid_groups_max = 300;
    CHECK_EQ_INT(264, run_grid_best_groups(&probe, 1 << 24, 256, 7));
    probe = (struct run_probe){0};
    CHECK_EQ_INT(7, run_grid_best_groups(&probe, 1 << 24, 256, 7));
}
