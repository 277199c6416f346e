// What both kernels of Acrobot (programs/sims/acrobot.c) have in common: their arrays, the pendulum, pieces of the network.
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
