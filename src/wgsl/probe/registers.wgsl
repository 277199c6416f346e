// A loop that uses 256 words of its own invocation, of which some are loaded in front of it and the others in every pass. In parts: the
// head, a word that is kept, the loop, the use of a word that is kept, the use of one that is not, the end. $n: number of the word, $c:
// component of the sum that it goes to.
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;
@group(0) @binding(2) var<storage, read> data: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) { atomicAdd(&control[0], 1u); }
    let i = (group.y * params[1].x + group.x) * 64u + lane;
    if (i >= params[0].y) { return; }
    let o = i * 256u;
    var a = vec4<f32>(1.0);
//: keep
    let w$n = data[o + $nu];
//: loop
    for (var k = 0u; k < params[2].y; k++) {
//: use
        a.$c = a.$c * 0.5 + w$n;
//: load
        a.$c = a.$c * 0.5 + data[o + $nu];
//: end
    }
    if (a.x + a.y + a.z + a.w == 12345.0) { atomicAdd(&control[5], 1u); }
}
