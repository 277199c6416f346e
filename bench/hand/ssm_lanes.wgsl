// The state-space recurrence (programs/sims/ssm.c) with sixteen invocations a channel, one a state. Four steps at a time: x of the next
// four is on its way while these are computed, and their four sums are made together: whoever keeps half of them gives the other half
// away, so that five exchanges do what sixteen would. The runner (bench/hand_rows.c) writes the sizes above it; steps is a multiple of 4.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read> c: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(local) fn main(@builtin(global_invocation_id) id: vec3u) {
    let channel = id.x / 16u;
    if (channel >= channels) {
        return;
    }
    let decay = a[id.x];
    let gain = b[id.x];
    let weight = c[id.x];
    let upper = (id.x & 8u) != 0u;
    let middle = (id.x & 4u) != 0u;
    let kept = select(0u, 2u, upper) + select(0u, 1u, middle); // the step whose sum this invocation ends up with
    let writes = (id.x & 3u) == 0u;
    var h = 0.0;
    var next = vec4f(x[channel], x[channels + channel], x[2u * channels + channel], x[3u * channels + channel]);
    for (var t = 0u; t < steps; t += 4u) {
        let now = next * gain;
        let ahead = min(t + 4u, steps - 4u) * channels + channel;
        next = vec4f(x[ahead], x[ahead + channels], x[ahead + 2u * channels], x[ahead + 3u * channels]);
        h = h * decay + now.x;
        let p0 = h * weight;
        h = h * decay + now.y;
        let p1 = h * weight;
        h = h * decay + now.z;
        let p2 = h * weight;
        h = h * decay + now.w;
        let p3 = h * weight;
        let q0 = select(p0, p2, upper) + subgroupShuffleXor(select(p2, p0, upper), 8u);
        let q1 = select(p1, p3, upper) + subgroupShuffleXor(select(p3, p1, upper), 8u);
        var sum = select(q0, q1, middle) + subgroupShuffleXor(select(q1, q0, middle), 4u);
        sum += subgroupShuffleXor(sum, 2u);
        sum += subgroupShuffleXor(sum, 1u);
        if (writes) {
            y[(t + kept) * channels + channel] = sum;
        }
    }
}
