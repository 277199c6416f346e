// Can workgroups of one dispatch meet at a barrier here, how many at once, and at what price? WebGPU promises nothing
// of it, so it is measured. Roll call and barrier are those of every program's kernel, so nothing can hang; what fails
// is a note. The twin of src/run/probe/probe_grid.c.
import { messageOf, type Gpu } from './gpu.js';
import { Control, GRID_FENCES, Verdict } from './plan.js';
import { type GridMeasured, Prober, unmeasured } from './probe.js';
import { barrier, grid } from './texts.js';

const Mode = { barriers: 0, messages: 1, litmus: 2 } as const;
const LANES = 256; // of a workgroup
const MOST_GROUPS = 4096; // tried
const LITMUS_WORDS = 1 << 16;
const PLAIN_WORDS = 4 << 18; // grid.wgsl
const WRONG = 7; // control word: wrong messages, stale reads
const FIRST_SPINS = 256;
const MOST_SPINS = 1 << 22;
const TRIES = 3;
const FIRST_ROUNDS = 16;

interface Ask {
    mode: number;
    groups: number;
    rounds?: number;
    flags?: number;
    goalGroups?: number; // as `groups`
    spins?: number; // the usual
}
interface Answer {
    control: Uint32Array;
    ms: number;
}
interface Trial {
    groups: number;
    flags: number;
    barriers: number; // made so far
    wrong: number;
    gaveUp: boolean;
}

function allCame(a: Answer): boolean {
    return a.control[Control.verdict] === Verdict.go;
}

function succeeded(a: Answer, groups: number): boolean {
    return allCame(a) && a.control[Control.groups] === groups && a.control[Control.failed] === 0;
}

function passed(t: Trial): boolean {
    return t.wrong === 0 && !t.gaveUp && t.barriers > 0;
}

class GridProbe {
    private spins = 0; // the bound of a spin, in passes
    private readonly boundMs: number;
    private readonly mostRounds: number; // of barriers in a dispatch
    private readonly software: boolean;

    constructor(
        private readonly p: Prober,
        private readonly loopCap: number,
        readonly out: GridMeasured,
    ) {
        this.software = p.resources.gpu.isSoftware;
        this.boundMs = this.software ? 20 : 8;
        this.mostRounds = this.software ? 512 : 4096;
    }

    private async ask(q: Ask): Promise<Answer> {
        const { answer, ms } = await this.p.call(
            {
                mode: q.mode,
                passes: q.rounds ?? 0,
                words: q.goalGroups ?? q.groups,
                count: q.groups * LANES,
                budget: q.spins ?? this.spins,
                resume: q.flags ?? 0,
            },
            true,
        );
        return { control: answer.control, ms };
    }

    // ---- how fast is a spin: one workgroup waits for a second one that does not exist ----

    private async spinMs(spins: number): Promise<number> {
        let least = Infinity;
        for (let i = 0; i < TRIES; i++)
            least = Math.min(
                least,
                (await this.ask({ mode: Mode.barriers, groups: 1, rounds: 1, goalGroups: 2, spins })).ms,
            );
        return least;
    }

    async measureSpins(): Promise<void> {
        const most = this.loopCap > 0 ? Math.min(this.loopCap / 2, MOST_SPINS) : MOST_SPINS;
        const none = await this.spinMs(1);
        let spins = FIRST_SPINS,
            some: number;
        for (;;) {
            some = await this.spinMs(spins);
            if (some > none + 2 || spins >= most) break;
            spins = spins < most / 4 ? spins * 4 : most;
        }
        // Where the wait cannot be told from the spins it is too few.
        const perMs = (spins - 1) / (some > 1.2 * none ? some - none : some);
        this.out.spinsPerMs = Math.max(this.out.spinsPerMs, perMs); // clocks rise while it is measured
        this.spins = Math.floor(Math.min(this.out.spinsPerMs * this.boundMs + 1, most / 2));
    }

    // ---- how many are resident at once ----

    private async resident(groups: number): Promise<boolean> {
        const end = performance.now() + 100;
        for (;;) {
            if (succeeded(await this.ask({ mode: Mode.barriers, groups }), groups)) return true;
            // In software another thread may have had the processor.
            if (!this.software || performance.now() >= end) return false;
        }
    }

    // Doubles until a roll call fails, then closes in to one part in 64.
    async findMost(limit: number): Promise<void> {
        let good = 1,
            bad = limit + 1;
        while (good < limit) {
            const next = Math.min(good * 2, limit);
            if (!(await this.resident(next))) {
                bad = next;
                break;
            }
            good = next;
        }
        while (bad - good > (good < 64 ? 1 : good / 64)) {
            const middle = good + Math.floor((bad - good) / 2);
            if (await this.resident(middle)) good = middle;
            else bad = middle;
        }
        this.out.groupsMax = good;
    }

    // ---- what does a barrier cost ----

    private async barriersMs(groups: number, rounds: number): Promise<number | null> {
        const end = performance.now() + 50;
        let least: number | null = null;
        for (let good = 0; good < TRIES && performance.now() < end;) {
            const a = await this.ask({ mode: Mode.barriers, groups, rounds });
            if (!succeeded(a, groups)) {
                if (!this.software) break;
                continue;
            }
            good++;
            least = Math.min(least ?? Infinity, a.ms);
        }
        return least;
    }

    // 0 where it could not be measured.
    private async barrierNs(groups: number): Promise<number> {
        let rounds = FIRST_ROUNDS,
            out = 0;
        for (let pass = 0; pass < 3; pass++) {
            // the last takes about 3 ms
            const none = await this.barriersMs(groups, 0),
                some = await this.barriersMs(groups, rounds);
            if (none === null || some === null) break;
            out = some > none ? ((some - none) / rounds) * 1e6 : 0;
            const wanted = out > 0 ? 3e6 / out : this.mostRounds;
            if (wanted <= rounds || rounds === this.mostRounds) break;
            rounds = Math.floor(Math.min(wanted, this.mostRounds));
        }
        return out;
    }

    // The largest number is taken whose barrier costs at most half more than the cheapest.
    async chooseGroups(): Promise<void> {
        const { out } = this;
        out.groups = out.groupsMax;
        let cheapest = 0;
        for (let groups = out.groupsMax, i = 0; i < 4 && groups >= 2; i++, groups >>= 1) {
            const barrierNs = await this.barrierNs(groups);
            if (barrierNs <= 0) continue;
            cheapest = cheapest === 0 ? barrierNs : Math.min(cheapest, barrierNs);
            out.sizes.push({ groups, barrierNs });
        }
        const best = out.sizes.find((size) => size.barrierNs <= 1.5 * cheapest);
        if (best) [out.groups, out.barrierNs] = [best.groups, best.barrierNs];
    }

    // ---- does it work ----

    // Barriers with messages. A dispatch whose workgroups were not all there proves nothing and is made again; so is
    // one that gave up on a device in software, with fewer barriers.
    private async selfTest(groups: number, flags: number): Promise<Trial> {
        const wanted = 3000,
            end = performance.now() + (this.software ? 100 : 50);
        const t: Trial = { groups, flags, barriers: 0, wrong: 0, gaveUp: false };
        let rounds = FIRST_ROUNDS;
        while (t.barriers < wanted && t.wrong === 0 && !t.gaveUp && performance.now() < end) {
            rounds = Math.min(rounds, Math.floor((wanted - t.barriers + 1) / 2));
            const a = await this.ask({ mode: Mode.messages, groups, rounds, flags });
            if (!succeeded(a, groups)) {
                // behind a barrier that gave up anything may be read
                t.gaveUp = !this.software;
                if (allCame(a) && rounds > 1) rounds >>= 1;
                continue;
            }
            t.wrong += a.control[WRONG];
            t.barriers += 2 * rounds;
            if (rounds <= this.mostRounds / 2 && a.ms < 10) rounds *= 2;
        }
        this.out.tested += t.barriers;
        return t;
    }

    private async litmus(groups: number): Promise<void> {
        const rounds = this.software ? 4 : 64,
            lanes = this.software ? 16 : LANES; // there each message may cost a time slice
        const end = performance.now() + 50,
            pairs = Math.min(groups >> 1, LITMUS_WORDS / LANES);
        for (;;) {
            const a = await this.ask({ mode: Mode.litmus, groups, rounds, flags: lanes << 8 });
            this.out.stale = pairs > 0 ? a.control[WRONG] : 0;
            if (!this.software || succeeded(a, groups) || performance.now() >= end) return;
        }
    }

    private note(what: string, t: Trial): void {
        this.out.note =
            t.barriers === 0 && t.wrong === 0 && !t.gaveUp
                ? `${t.groups} workgroups were not often enough there at once`
                : `${what}: ${t.groups} workgroups, ${t.wrong} wrong messages` +
                  `${t.gaveUp ? ', a barrier that gave up' : ''}, ` +
                  `${t.barriers} barriers`;
    }

    // Without fences first. A stale read in the litmus test asks for them too.
    async testGroups(): Promise<void> {
        const { out } = this,
            { groups } = out;
        await this.litmus(groups);
        const bare = await this.selfTest(groups, 0),
            fenced = await this.selfTest(groups, GRID_FENCES);
        out.fencesNeeded = out.stale > 0 || bare.wrong > 0;
        const used = out.fencesNeeded ? fenced : bare;
        out.ok = passed(used);
        const widest = out.ok && groups < out.groupsMax ? await this.selfTest(out.groupsMax, used.flags) : used;
        if (!out.ok) this.note('its self-test fails', used);
        else if (!passed(widest)) {
            // what is used works
            this.note('with the most workgroups its self-test fails', widest);
            out.groupsMax = groups;
        }
    }

    async all(): Promise<void> {
        const { out } = this;
        const processors = globalThis.navigator?.hardwareConcurrency ?? 2;
        const room = Math.floor((this.p.bytes / 4 - PLAIN_WORDS) / LANES);
        await this.measureSpins();
        await this.findMost(Math.min(this.software ? processors : MOST_GROUPS, room));
        if (out.groupsMax < 2) {
            out.note = 'only one workgroup runs at a time';
            return;
        }
        await this.chooseGroups();
        await this.testGroups();
        // In software workgroups are threads, and whether they run side by side changes from one moment to the next.
        if (this.software || !out.ok) out.groups = 1;
        await this.measureSpins();
    }
}

/** Only a lost device is an error. */
export async function measureGrid(gpu: Gpu, loopCap: number): Promise<GridMeasured> {
    const out = { ...unmeasured().grid, note: '' };
    const refuse = (note: string): GridMeasured => ({ ...unmeasured().grid, note });
    if (gpu.limits.maxComputeInvocationsPerWorkgroup < LANES)
        return refuse(`its workgroups are smaller than ${LANES} invocations`);
    let p: Prober | null = null;
    try {
        p = await Prober.open(
            gpu,
            barrier + grid,
            (PLAIN_WORDS + LANES * (gpu.isSoftware ? 512 : MOST_GROUPS)) * 4,
            LANES,
        );
        await new GridProbe(p, loopCap, out).all();
    } catch (error) {
        if (gpu.lost !== null) throw error;
        return refuse(messageOf(error));
    } finally {
        p?.close();
    }
    return out;
}
