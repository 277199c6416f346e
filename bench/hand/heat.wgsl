// Heat (programs/grids/heat.c) in one dispatch with a barrier a step (meet.wgsl). Cells are shared between workgroups, so they are read and
// written as atomics.
@group(0) @binding(0) var<storage, read_write> u: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> other: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> control: array<atomic<u32>>;

const cells = n * n;
const stride = groups * local;

fn inside(i: u32) -> bool {
    let row = i / n;
    let column = i % n;
    return row > 0u && column > 0u && row < n - 1u && column < n - 1u;
}

fn mean(a: u32, b: u32, c: u32, d: u32, e: u32) -> u32 {
    return bitcast<u32>(0.2 * (bitcast<f32>(a) + bitcast<f32>(b) + bitcast<f32>(c) + bitcast<f32>(d) + bitcast<f32>(e)));
}

@compute @workgroup_size(local) fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * local + lane;
    for (var i = first; i < cells; i += stride) {
        atomicStore(&other[i], atomicLoad(&u[i]));
    }
    var goal = groups;
    meet(lane, goal);
    for (var t = 0u; t < steps; t += 2u) { // steps is even
        for (var i = first; i < cells; i += stride) {
            if (inside(i)) {
                atomicStore(&other[i], mean(atomicLoad(&u[i]), atomicLoad(&u[i - 1u]), atomicLoad(&u[i + 1u]),
                                            atomicLoad(&u[i + n]), atomicLoad(&u[i - n])));
            }
        }
        goal += groups;
        meet(lane, goal);
        for (var i = first; i < cells; i += stride) {
            if (inside(i)) {
                atomicStore(&u[i], mean(atomicLoad(&other[i]), atomicLoad(&other[i - 1u]), atomicLoad(&other[i + 1u]),
                                        atomicLoad(&other[i + n]), atomicLoad(&other[i - n])));
            }
        }
        goal += groups;
        meet(lane, goal);
    }
}
