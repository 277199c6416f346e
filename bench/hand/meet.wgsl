// The barrier across the grid of kernels whose workgroups meet: that of docs/memory-model.md. The last value seen is tested after the spin,
// and a counter that did not get there is put out of reach, so that nothing hangs and nothing passes unseen. `control` is the kernel's
// last binding: arrivals, failures.
fn meet(lane: u32, goal: u32) {
    workgroupBarrier();
    if (lane == 0u) {
        var seen = atomicAdd(&control[0], 1u) + 1u;
        for (var i = 0u; i < 1000000u && bitcast<i32>(seen - goal) < 0; i++) {
            seen = atomicLoad(&control[0]);
        }
        if (bitcast<i32>(seen - goal) < 0) {
            atomicAdd(&control[1], 1u);
            atomicStore(&control[0], goal + 0x40000000u);
        }
    }
    workgroupBarrier();
}
