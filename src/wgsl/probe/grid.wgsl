// Can workgroups wait for each other? prelude/barrier.wgsl stands before. params words: 1 invocations; 2 spins; 3 flags, from bit 8 on the
// lanes that take part in the litmus test; 8 mode; 9 rounds; 10 groups that a barrier waits for: more than the roll call's where the
// speed of spinning is measured.
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;
struct Data { plain: array<vec4<u32>, 262144>, words: array<atomic<u32>> }
@group(0) @binding(2) var<storage, read_write> data: Data;
fn barrier(lane: u32) { whorl_barrier(lane, params[2].z, params[0].z, (params[0].w & 1u) != 0u); }
fn barriers(lane: u32) -> u32 {
    var made = 0u;
    for (var r = 1u; r <= params[2].y; r++) {
        barrier(lane);
        made = r;
    }
    return made;
}
fn message(round: u32, at: u32) -> u32 { return (round * 747796405u) ^ (at * 2891336453u + 1u); }
// What all components say; else another value.
fn whole(v: vec4<u32>) -> u32 { return select(~v.x, v.x, all(v == v.xxxx)); }
// Every invocation writes a word; behind a barrier it reads one of another workgroup's; behind the next it writes again. So
// neither a load may come too early nor a store. With mode 4 the words are plain vectors, of 262,144 invocations at most; in
// every other round four workgroups store one component each of four vectors, and must leave the others as they are.
fn messages(group: u32, lane: u32) -> u32 {
    let groups = params[2].z;
    let mine = group * 256u + lane;
    let plain = params[2].x == 4u;
    var made = 0u;
    var wrong = 0u;
    for (var r = 1u; r <= params[2].y; r++) {
        let other = ((group + r) % groups) * 256u + ((lane * 37u + r) & 255u);
        if (!plain) { atomicStore(&data.words[mine], message(r, mine)); }
        else if ((r & 1u) == 1u || (group | 3u) >= groups) { data.plain[mine] = vec4<u32>(message(r, mine)); }
        else {
            for (var k = 0u; k < 4u; k++) {
                let to = ((group & ~3u) + k) * 256u + lane;
                data.plain[to][(group + k) & 3u] = message(r, to);
            }
        }
        barrier(lane);
        var got = 0u;
        if (plain) { got = whole(data.plain[other]); } else { got = atomicLoad(&data.words[other]); }
        if (got != message(r, other)) { wrong++; }
        barrier(lane);
        made = r;
    }
    if (wrong > 0u) { atomicAdd(&control[7], wrong); }
    return made;
}
// An invocation of an even workgroup and one of its neighbour pass a flag to and fro: data first, then the flag. A driver may
// take a load alone, even an atomic one, out of the loop (lavapipe does); not an addition.
fn litmus(group: u32, lane: u32) -> u32 {
    let i = (group >> 1u) * 256u + lane;
    if ((group | 1u) >= params[2].z || i >= 65536u || lane >= (params[0].w >> 8u)) { return params[2].y; }
    let flag = 65536u + ((i * 40503u) & 65535u);
    let reads = (group & 1u) == 1u;
    let atomics = params[2].x == 2u;
    var made = 0u;
    var stale = 0u;
    for (var r = 1u; r <= params[2].y; r++) {
        let turn = 2u * r - select(2u, 1u, reads);
        var seen = atomicLoad(&data.words[flag]);
        for (var k = 0u; seen < turn && k < params[0].z; k++) {
            seen = atomicLoad(&data.words[flag]);
            if ((k & 15u) == 15u) { seen = atomicAdd(&data.words[flag], 0u); }
        }
        if (seen < turn) { break; }
        if (reads) {
            var got = 0u;
            if (atomics) { got = atomicLoad(&data.words[i]); } else { got = whole(data.plain[i]); }
            if (got != r) { stale++; }
        } else if (atomics) { atomicStore(&data.words[i], r); } else { data.plain[i] = vec4<u32>(r); }
        atomicAdd(&data.words[flag], 1u);
        made = r;
    }
    if (stale > 0u) { atomicAdd(&control[7], stale); }
    return made;
}
@compute @workgroup_size(256) fn main(@builtin(workgroup_id) id: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    if (whorl_roll_call(lane, params[0].y / 256u, params[0].z)) {
        var made = 0u;
        if (params[2].x == 0u) { made = barriers(lane); }
        else if (params[2].x == 1u || params[2].x == 4u) { made = messages(id.x, lane); }
        else { made = litmus(id.x, lane); }
        if (made != params[2].y) { atomicAdd(&control[2], 1u); }
    }
    if (lane == 0u) { atomicAdd(&control[0], 1u); }
}
