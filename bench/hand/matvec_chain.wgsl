// A chain of matrix-vector products (programs/grids/matvec_chain.c) in one dispatch: a subgroup has one row, whose weights of the next
// layer are on their way while the workgroups wait for each other. x travels as pairs of 16-bit floats in two slots of `other`, layer by
// layer; each workgroup takes all of it into its own memory. The barrier is that of meet.wgsl. `lanes` is the size of a subgroup, which
// has at most 8 times 8 weights a row.
@group(0) @binding(0) var<storage, read> w: array<vec4u>; // eight weights each
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> other: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> control: array<atomic<u32>>;

const words = n / 2u;
const chunks = n / 8u; // of a row, each a vec4u
const rows = local / lanes; // of a workgroup
var<workgroup> input: array<vec4f, n / 4u>;
var<workgroup> result: array<f32, rows>;

fn piece(at: u32, k: u32) -> vec4u {
    if (k * lanes < chunks) {
        return w[at + k * lanes];
    }
    return vec4u(0u);
}

fn product(weights: vec4u, lane: u32, k: u32) -> f32 {
    if (k * lanes >= chunks) {
        return 0.0;
    }
    let at = 2u * (lane + k * lanes);
    let low = vec4f(unpack2x16float(weights.x), unpack2x16float(weights.y));
    let high = vec4f(unpack2x16float(weights.z), unpack2x16float(weights.w));
    return dot(low, input[at]) + dot(high, input[at + 1u]);
}

fn rounded(value: f32) -> f32 {
    return unpack2x16float(pack2x16float(vec2f(value, 0.0))).x;
}

@compute @workgroup_size(local) fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32,
                                        @builtin(subgroup_invocation_id) lane: u32) {
    let mine = index / lanes;
    let row = group.x * rows + mine;
    var at = row * chunks + lane;
    var m0 = piece(at, 0u);
    var m1 = piece(at, 1u);
    var m2 = piece(at, 2u);
    var m3 = piece(at, 3u);
    var m4 = piece(at, 4u);
    var m5 = piece(at, 5u);
    var m6 = piece(at, 6u);
    var m7 = piece(at, 7u);
    for (var i = index; i < n / 4u; i += local) {
        input[i] = vec4f(rounded(x[4u * i]), rounded(x[4u * i + 1u]), rounded(x[4u * i + 2u]), rounded(x[4u * i + 3u]));
    }
    workgroupBarrier();
    var goal = 0u;
    for (var l = 0u; l < layers; l++) {
        var sum = product(m0, lane, 0u) + product(m1, lane, 1u) + product(m2, lane, 2u) + product(m3, lane, 3u);
        sum += product(m4, lane, 4u) + product(m5, lane, 5u) + product(m6, lane, 6u) + product(m7, lane, 7u);
        sum = subgroupAdd(sum);
        if (l + 1u == layers) {
            // Nobody reads x here any more: all have passed the barrier of the first layer, or there is one layer and one input.
            if (layers == 1u) {
                goal += groups;
                meet(index, goal);
            }
            if (lane == 0u) {
                x[row] = rounded(sum / (1.0 + abs(sum)));
            }
            break;
        }
        if (lane == 0u) {
            result[mine] = sum / (1.0 + abs(sum));
        }
        at += n * chunks;
        m0 = piece(at, 0u);
        m1 = piece(at, 1u);
        m2 = piece(at, 2u);
        m3 = piece(at, 3u);
        m4 = piece(at, 4u);
        m5 = piece(at, 5u);
        m6 = piece(at, 6u);
        m7 = piece(at, 7u);
        workgroupBarrier();
        let slot = (l & 1u) * words;
        if (index < rows / 2u) {
            let pair = vec2f(result[2u * index], result[2u * index + 1u]);
            atomicStore(&other[slot + group.x * (rows / 2u) + index], pack2x16float(pair));
        }
        goal += groups;
        meet(index, goal);
        for (var i = index; i < n / 4u; i += local) {
            let low = unpack2x16float(atomicLoad(&other[slot + 2u * i]));
            input[i] = vec4f(low, unpack2x16float(atomicLoad(&other[slot + 2u * i + 1u])));
        }
        workgroupBarrier();
    }
}
