// Acrobot (programs/sims/acrobot.c) with one invocation an individual: all sixteen hidden units in its registers. The pendulum is that of
// acrobot_lanes.wgsl. The runner (bench/hand_rows.c) writes the sizes above it.
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

@compute @workgroup_size(local) fn main(@builtin(global_invocation_id) id: vec3u) {
    let mine = id.x;
    if (mine >= pop) {
        return;
    }
    let base = mine * 163u;
    let a0 = column(base + 0u);
    let a1 = column(base + 1u);
    let a2 = column(base + 2u);
    let a3 = column(base + 3u);
    let a4 = column(base + 4u);
    let a5 = column(base + 5u);
    let a6 = four(base + 96u);
    let a7 = four(base + 112u);
    let a8 = four(base + 128u);
    let a9 = four(base + 144u);
    let b0 = column(base + 24u);
    let b1 = column(base + 25u);
    let b2 = column(base + 26u);
    let b3 = column(base + 27u);
    let b4 = column(base + 28u);
    let b5 = column(base + 29u);
    let b6 = four(base + 100u);
    let b7 = four(base + 116u);
    let b8 = four(base + 132u);
    let b9 = four(base + 148u);
    let c0 = column(base + 48u);
    let c1 = column(base + 49u);
    let c2 = column(base + 50u);
    let c3 = column(base + 51u);
    let c4 = column(base + 52u);
    let c5 = column(base + 53u);
    let c6 = four(base + 104u);
    let c7 = four(base + 120u);
    let c8 = four(base + 136u);
    let c9 = four(base + 152u);
    let d0 = column(base + 72u);
    let d1 = column(base + 73u);
    let d2 = column(base + 74u);
    let d3 = column(base + 75u);
    let d4 = column(base + 76u);
    let d5 = column(base + 77u);
    let d6 = four(base + 108u);
    let d7 = four(base + 124u);
    let d8 = four(base + 140u);
    let d9 = four(base + 156u);
    let bias = vec3f(w[base + 160u], w[base + 161u], w[base + 162u]);
    var s = vec4f(0.05, -0.03, 0.02, 0.01);
    var sum = 0.0;
    var highest = -2.0;
    for (var t = 0u; t < steps; t++) {
        let seen = vec4f(cos(s.x), sin(s.x), cos(s.y), sin(s.y));
        let a = squash(a6 + seen.x * a0 + seen.y * a1 + seen.z * a2 + seen.w * a3 + s.z * a4 + s.w * a5);
        let b = squash(b6 + seen.x * b0 + seen.y * b1 + seen.z * b2 + seen.w * b3 + s.z * b4 + s.w * b5);
        let c = squash(c6 + seen.x * c0 + seen.y * c1 + seen.z * c2 + seen.w * c3 + s.z * c4 + s.w * c5);
        let d = squash(d6 + seen.x * d0 + seen.y * d1 + seen.z * d2 + seen.w * d3 + s.z * d4 + s.w * d5);
        let score_x = bias.x + dot(a7, a) + dot(b7, b) + dot(c7, c) + dot(d7, d);
        let score_y = bias.y + dot(a8, a) + dot(b8, b) + dot(c8, c) + dot(d8, d);
        let score_z = bias.z + dot(a9, a) + dot(b9, b) + dot(c9, c) + dot(d9, d);
        var torque = select(-1.0, 0.0, score_y > score_x);
        torque = select(torque, 1.0, score_z > max(score_x, score_y));
        s = advance(s, torque);
        let now = -cos(s.x) - cos(s.x + s.y);
        highest = max(highest, now);
        sum += select(-0.001, 1.0, now > 1.0);
    }
    fitness[mine] = sum;
    height[mine] = highest;
}
