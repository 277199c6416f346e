// Acrobot with four invocations an individual: each has four of the sixteen hidden units in registers, the three scores are added across
// them, and all four move the same pendulum, that of acrobot.wgsl.
fn total(x: vec3f) -> vec3f {
    let pairs = x + subgroupShuffleXor(x, 1u);
    return pairs + subgroupShuffleXor(pairs, 2u);
}

@compute @workgroup_size(local) fn main(@builtin(global_invocation_id) id: vec3u) {
    let mine = id.x / 4u;
    let lane = id.x % 4u;
    let base = min(mine, pop - 1u) * 163u;
    let first = base + lane * 24u;
    let w0 = column(first);
    let w1 = column(first + 1u);
    let w2 = column(first + 2u);
    let w3 = column(first + 3u);
    let w4 = column(first + 4u);
    let w5 = column(first + 5u);
    let b1 = four(base + 96u + lane * 4u);
    let v0 = four(base + 112u + lane * 4u);
    let v1 = four(base + 128u + lane * 4u);
    let v2 = four(base + 144u + lane * 4u);
    let b2 = vec3f(w[base + 160u], w[base + 161u], w[base + 162u]);
    var s = vec4f(0.05, -0.03, 0.02, 0.01);
    var sum = 0.0;
    var highest = -2.0;
    for (var t = 0u; t < steps; t++) {
        let hidden = squash(b1 + cos(s.x) * w0 + sin(s.x) * w1 + cos(s.y) * w2 + sin(s.y) * w3 + s.z * w4 + s.w * w5);
        let score = b2 + total(vec3f(dot(v0, hidden), dot(v1, hidden), dot(v2, hidden)));
        var torque = select(-1.0, 0.0, score.y > score.x);
        torque = select(torque, 1.0, score.z > max(score.x, score.y));
        s = advance(s, torque);
        let now = -cos(s.x) - cos(s.x + s.y);
        highest = max(highest, now);
        sum += select(-0.001, 1.0, now > 1.0);
    }
    if (lane == 0u && mine < pop) {
        fitness[mine] = sum;
        height[mine] = highest;
    }
}
