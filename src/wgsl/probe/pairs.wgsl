// Behind prelude/pair.wgsl: sums and products of two floats, and what rounding took of them. An element of data: a, b; then a + b, its
// error, a * b, its error (src/run/probe/probe_pairs.c).
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;
@group(0) @binding(2) var<storage, read_write> data: array<vec4<f32>>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) { atomicAdd(&control[0], 1u); }
    let i = (group.y * params[1].x + group.x) * 64u + lane;
    if (i >= params[0].y) { return; }
    let a = data[i].x;
    let b = data[i].y;
    let sum = whorl_hold(a + b, params[1].w);
    let product = whorl_hold(a * b, params[1].w);
    let sum_error = whorl_sum_error(a, b, sum, params[1].w);
    data[i] = vec4<f32>(sum, sum_error, product, whorl_product_error(a, b, product, params[1].w));
}
