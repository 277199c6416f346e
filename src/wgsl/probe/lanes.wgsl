// Do neighbours exchange values rightly, although they part in between? $n: invocations of a workgroup. params word 8: lanes of a group.
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;
@group(0) @binding(2) var<storage, read_write> data: array<u32>;
@compute @workgroup_size($n) fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) li: u32) {
    if (li == 0u) { atomicAdd(&control[0], 1u); }
    let i = (group.y * params[1].x + group.x) * $nu + li;
    let lanes = params[2].x;
    if (i < params[0].y) {
        var x = i * 2654435761u;
        for (var t = 0u; t < 1u + (i / lanes) * 7u % 13u; t += 1u) {
            if ((x & 128u) != 0u) {
                for (var q = 0u; q < (x & 3u); q += 1u) { x = x * 747796405u + q; }
            }
            var sum = x;
            for (var step = lanes / 2u; step > 0u; step /= 2u) { sum += subgroupShuffleXor(sum, step); }
            x = (x ^ (sum >> 3u)) * 5u + t;
            if ((sum & 15u) == 0u) { break; }
        }
        data[i] = x;
    }
}
