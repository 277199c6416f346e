// Acrobot (programs/sims/acrobot.c) with four invocations an individual: each has four of the sixteen hidden units in registers, the
// three scores are added across them, and all four move the same pendulum. The runner (bench/hand_rows.c) writes the sizes above it.
@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read_write> fitness: array<f32>;
@group(0) @binding(2) var<storage, read_write> height: array<f32>;

const turn = 6.28318530717958647692;

// The derivative of (a, b, da, db).
fn slope(s: vec4f, torque: f32) -> vec4f {
    let sin_b = sin(s.y);
    let cos_b = cos(s.y);
    let d1 = 3.5 + cos_b;
    let d2 = 1.25 + 0.5 * cos_b;
    let phi2 = 4.9 * sin(s.x + s.y);
    let phi1 = 14.7 * sin(s.x) + phi2 - (0.5 * s.w + s.z) * s.w * sin_b;
    let share = d2 / d1;
    let ddb = (torque + share * phi1 - 0.5 * s.z * s.z * sin_b - phi2) / (1.25 - d2 * share);
    return vec4f(s.zw, -(d2 * ddb + phi1) / d1, ddb);
}

fn advance(s: vec4f, torque: f32) -> vec4f {
    let k1 = slope(s, torque);
    let k2 = slope(s + 0.1 * k1, torque);
    let k3 = slope(s + 0.1 * k2, torque);
    let k4 = slope(s + 0.2 * k3, torque);
    let next = s + (0.2 / 6.0) * (k1 + 2.0 * (k2 + k3) + k4);
    let angles = next.xy - turn * select(vec2f(0.0), sign(next.xy), abs(next.xy) > vec2f(0.5 * turn));
    return vec4f(angles, clamp(next.zw, vec2f(-2.0, -4.5) * turn, vec2f(2.0, 4.5) * turn));
}

fn squash(x: vec4f) -> vec4f {
    return 1.0 - 2.0 / (exp(2.0 * x) + 1.0);
}

// The weights of four hidden units for one input.
fn column(at: u32) -> vec4f {
    return vec4f(w[at], w[at + 6u], w[at + 12u], w[at + 18u]);
}

fn four(at: u32) -> vec4f {
    return vec4f(w[at], w[at + 1u], w[at + 2u], w[at + 3u]);
}

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
