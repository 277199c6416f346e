// WGSL's own functions at given points, $n each. An element of data: x, y, what the function gives. In the order of src/run/probe/probe_math.c.
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;
@group(0) @binding(2) var<storage, read_write> data: array<vec4<f32>>;
fn builtin(f: u32, x: f32, y: f32) -> f32 {
    switch f {
    case 0u: { return x / y; }
    case 1u: { return sqrt(x); }
    case 2u: { return floor(x); }
    case 3u: { return ceil(x); }
    case 4u: { return trunc(x); }
    case 5u: { return round(x); }
    case 6u: { return inverseSqrt(x); }
    case 7u: { return exp(x); }
    case 8u: { return exp2(x); }
    case 9u: { return log(x); }
    case 10u: { return log2(x); }
    case 11u: { return pow(x, y); }
    case 12u: { return sin(x); }
    case 13u: { return cos(x); }
    case 14u: { return tan(x); }
    case 15u: { return asin(x); }
    case 16u: { return acos(x); }
    case 17u: { return atan(x); }
    case 18u: { return atan2(x, y); }
    case 19u: { return sinh(x); }
    case 20u: { return cosh(x); }
    case 21u: { return tanh(x); }
    case 22u: { return asinh(x); }
    case 23u: { return acosh(x); }
    case 24u: { return atanh(x); }
    default: { return x; }
    }
}
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    if (lane == 0u) { atomicAdd(&control[0], 1u); }
    let i = (group.y * params[1].x + group.x) * 64u + lane;
    if (i >= params[0].y) { return; }
    let a = data[i];
    data[i] = vec4<f32>(a.xy, builtin(i / $nu, a.x, a.y), 0.0);
}
