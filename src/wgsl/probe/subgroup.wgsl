// How many invocations a subgroup has. A kernel of its own: a device may refuse the builtin.
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;
@group(0) @binding(2) var<storage, read_write> data: array<vec4<u32>>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_size) size: u32) {
    if (lane == 0u) { atomicAdd(&control[0], 1u); data[0] = vec4<u32>(size); }
    if (params[0].y == 0u) { data[1] = vec4<u32>(lane); }
}
