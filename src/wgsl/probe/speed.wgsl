// What the first probe of a device asks: how fast it computes, reads and copies, how long memory takes to answer, and where it
// ends loops. params words: 8 mode (0 compute, 1 read, 2 copy the first half over the second, 3 loads one after the other);
// 9 passes; 10 vectors of the array.
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;
@group(0) @binding(2) var<storage, read_write> data: array<vec4<u32>>;
fn mix(seed: u32, passes: u32) -> vec4<u32> {
    var x = seed;
    var f = f32(seed & 15u);
    var made = 0u;
    for (var k = 0u; k < passes; k++) {
        x = (x ^ (x >> 15u)) * 747796405u + k;
        f = f * 0.5 + f32(x >> 30u);
        made = k + 1u;
    }
    return vec4<u32>(x, bitcast<u32>(f), made, u32(i32(x) / 7));
}
fn total(first: u32, words: u32) -> vec4<u32> {
    var sum = vec4<u32>(0u);
    for (var k = first; k < words; k += 65536u) { sum += data[k]; }
    return sum;
}
fn chase(seed: u32, passes: u32, words: u32) -> vec4<u32> {
    let mask = (1u << (31u - countLeadingZeros(words))) - 1u;
    var x = seed;
    for (var k = 0u; k < passes; k++) { x = (data[(x >> 7u) & mask].x ^ x ^ k) * 747796405u + 1u; }
    return vec4<u32>(x);
}
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) { atomicAdd(&control[0], 1u); }
    let i = (group.y * params[1].x + group.x) * 64u + lane;
    if (i >= params[0].y) { return; }
    if (params[2].x == 2u) { data[params[2].z / 2u + i] = data[i]; }
    else if (params[2].x == 3u) { data[i] = chase(i + 1u, params[2].y, params[2].z); }
    else if (params[2].x == 0u) { data[i] = mix(i * 2654435761u, params[2].y); }
    else { let sum = total(i, params[2].z); if (sum.x == 0x9e3779b9u) { data[i] = sum; } }
}
