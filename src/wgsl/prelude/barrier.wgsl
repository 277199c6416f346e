// The grid: workgroups of one dispatch that wait for each other. Why this is right, and why nothing can hang: docs/memory-model.md.
// Words of control and the roles of `groups`, `spins` and `fences`: src/plan/plan.h.

@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;
// Arrivals at the barrier counter that let this invocation pass; only invocation 0 uses it.
var<private> whorl_goal: u32;
var<workgroup> whorl_word: u32;

// The value that invocation 0 has, as one that all of the workgroup agree on, whatever memory did.
fn whorl_uniform(lane: u32, value: u32) -> u32 {
    if (lane == 0u) {
        whorl_word = value;
    }
    return workgroupUniformLoad(&whorl_word);
}

// The largest value of the workgroup, as one that all of it agree on.
var<workgroup> whorl_largest: atomic<i32>;

fn whorl_most(lane: u32, value: i32) -> i32 {
    if (lane == 0u) {
        atomicStore(&whorl_largest, value);
    }
    workgroupBarrier();
    atomicMax(&whorl_largest, value);
    workgroupBarrier();
    return bitcast<i32>(whorl_uniform(lane, bitcast<u32>(atomicLoad(&whorl_largest))));
}

// Are all workgroups here at once? Each arrives and waits a while; the first to know says so for all, once and for ever.
fn whorl_roll_call(lane: u32, groups: u32, spins: u32) -> bool {
    var verdict = 1u;
    // One that comes after the others left does not count: how many came in time is what the host goes by.
    if (lane == 0u && atomicOr(&control[6], 0u) == 0u) {
        var here = atomicAdd(&control[5], 1u) + 1u;
        for (var i = 0u; i < spins && here < groups && atomicLoad(&control[6]) == 0u; i += 1u) {
            here = atomicLoad(&control[5]);
        }
        verdict = select(2u, 1u, here >= groups);
        for (var i = 0u; i < 64u; i += 1u) { // the exchange may fail for no reason
            let answer = atomicCompareExchangeWeak(&control[6], 0u, verdict);
            if (answer.exchanged || answer.old_value != 0u) {
                break;
            }
        }
    }
    if (lane == 0u) {
        verdict = atomicOr(&control[6], 0u);
    }
    return whorl_uniform(lane, verdict) == 1u;
}

// One invocation waits for all workgroups. The last value seen is tested after the loop, because a driver may end a loop early; then
// the counter is set out of everybody's reach, so that all that wait, now or later, pass at once. The first value seen is the
// addition's: after a load of its own a driver takes the loop's loads for the same one and drops the loop (lavapipe).
fn whorl_wait(groups: u32, spins: u32) {
    whorl_goal += groups;
    var seen = atomicAdd(&control[4], 1u) + 1u;
    for (var i = 0u; i < spins && bitcast<i32>(seen - whorl_goal) < 0; i += 1u) {
        seen = atomicLoad(&control[4]);
    }
    if (bitcast<i32>(seen - whorl_goal) < 0) {
        atomicAdd(&control[2], 1u);
        atomicStore(&control[4], whorl_goal + 0x40000000u);
    }
}

// Something was given up: what memory holds is garbage, and so are the bounds of loops that are read from it.
fn whorl_failed() -> bool {
    return atomicOr(&control[2], 0u) != 0u;
}

fn whorl_barrier(lane: u32, groups: u32, spins: u32, fences: bool) {
    if (fences) {
        storageBarrier();
    }
    workgroupBarrier();
    if (groups > 1u && lane == 0u) {
        whorl_wait(groups, spins);
    }
    workgroupBarrier();
    if (fences) {
        storageBarrier();
    }
}
