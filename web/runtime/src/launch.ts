// Work to the device and back: dispatches are collected into a batch, one submit each, waited for and judged. What a
// kernel computed is believed only when its control words say that every workgroup reached its end and no loop was
// ended early: drivers report success for work that they cut.
//
// Params of a dispatch lie in a slot of one uniform buffer, chosen by dynamic offset; equal ones share a slot.
import { type Kernel, CALL_WORDS, CONTROL_BYTES, CONTROL_WORDS, Control, NO_LIMIT, Param } from './plan.js';
import { type Resources, ANSWER_SECONDS } from './session.js';

export const MAX_BATCH = 60000;
export const FIRST_BATCH = 1024; // before anything is measured
const SLOTS_COMPARED = 16;

interface Dispatch {
    kernel: number;
    slot: number;
    x: number;
    y: number;
}

export interface Answer {
    control: Uint32Array;
    words: Uint32Array; // those that were asked for
    cut: boolean; // a driver ended loops early, or workgroups did not report: the results are worthless
}

function groupCount(k: Kernel, iterations: number): number {
    return k.oneGroup ? 1 : Math.ceil(iterations / ((k.workgroupSize / k.lanes) * k.rounds));
}

export class Launcher {
    readonly items: Dispatch[] = [];
    workNs = 0; // estimate for what is in the batch
    guessNs = 0; // the part of it which is of kernels not measured yet
    private slots = new Uint32Array(0);
    private slotCount = 0;
    private readonly slotWords: number;
    private expected = 0; // workgroups since control was cleared
    private cleared = false;
    private errors: Promise<void>[] = [];
    private pendingNs = 0;
    scratchCleared = false;
    firstSubmitMs = 0;
    lastDoneMs = 0;
    heldMs = 0; // between slices, while nobody saw the page: part of no time that is told

    constructor(readonly r: Resources) {
        this.slotWords = r.slotBytes / 4;
    }

    get isFull(): boolean {
        return this.items.length >= MAX_BATCH;
    }

    private takeSlot(words: Uint32Array): number {
        const { slotWords } = this;
        for (let slot = this.slotCount - 1; slot >= 0 && slot >= this.slotCount - SLOTS_COMPARED; slot--) {
            let same = true;
            for (let w = 0; w < words.length && same; w++) same = this.slots[slot * slotWords + w] === words[w];
            if (same) return slot;
        }
        if ((this.slotCount + 1) * slotWords > this.slots.length) {
            const larger = new Uint32Array(Math.max(64 * slotWords, this.slots.length * 2));
            larger.set(this.slots);
            this.slots = larger;
        }
        this.slots.set(words, this.slotCount * slotWords);
        return this.slotCount++;
    }

    /** A dispatch of [base, base + count). */
    add(kernel: number, call: { base: number; count: number; budget: number; resume: number }): void {
        const groups = groupCount(this.r.plan.kernels[kernel], call.count);
        const x = Math.min(groups, this.r.gpu.limits.maxComputeWorkgroupsPerDimension);
        const words = new Uint32Array(CALL_WORDS);
        words[Param.base] = call.base;
        words[Param.count] = call.count;
        words[Param.budget] = call.budget;
        words[Param.resume] = call.resume;
        words[Param.groupsX] = x;
        this.addWords(kernel, words, x, Math.ceil(groups / x));
    }

    addWhole(kernel: number, iterations: number): void {
        this.add(kernel, { base: 0, count: iterations, budget: NO_LIMIT, resume: 0 });
    }

    addWords(kernel: number, call: Uint32Array, x: number, y: number): void {
        const { plan, scalars } = this.r;
        const words = new Uint32Array(plan.paramWords);
        words.set(scalars.repeats);
        words.set(call);
        plan.scalars.forEach((s, i) => {
            if (s.kind === 'uniform') words[s.word] = scalars.values[i]; // of a float: its bits
        });
        this.items.push({ kernel, slot: this.takeSlot(words), x, y });
    }

    empty(): void {
        this.items.length = this.slotCount = 0;
        this.workNs = this.guessNs = 0;
    }

    /** A run begins: nothing is in the batch or under way. */
    begin(): void {
        this.empty();
        this.expected = this.pendingNs = 0;
        this.cleared = false;
        this.errors = [];
    }

    /** Scratch arrays as a call finds them: what it does not make anew is zero. */
    clearScratch(encoder: GPUCommandEncoder): void {
        const { plan, buffers } = this.r;
        for (const a of plan.arrays) {
            const bytes = a.kind === 'scratch' && !a.anew ? this.r.arrayBytes(a)! : 0;
            if (bytes > 0) encoder.clearBuffer(buffers[a.buffer], this.r.offsetOf(a), (bytes + 3) & ~3);
        }
    }

    clearControl(encoder: GPUCommandEncoder): void {
        encoder.clearBuffer(this.r.control);
        this.expected = 0;
        this.cleared = true;
    }

    /** The slots of the batch to the device; before the commands that read them are submitted. */
    async upload(): Promise<void> {
        await this.r.ensureParams(this.slotCount);
        if (this.slotCount > 0)
            this.r.writeWords(this.r.params, 0, this.slots.subarray(0, this.slotCount * this.slotWords));
    }

    dispatchAll(encoder: GPUCommandEncoder): void {
        const pass = encoder.beginComputePass();
        let before: Dispatch | null = null;
        for (const d of this.items) {
            const kernel = this.r.kernels[d.kernel]!;
            if (before?.kernel !== d.kernel) pass.setPipeline(kernel.pipeline);
            if (before?.kernel !== d.kernel || before.slot !== d.slot)
                pass.setBindGroup(0, kernel.group, [d.slot * this.r.slotBytes]);
            pass.dispatchWorkgroups(d.x, d.y);
            this.r.gpu.dispatches++;
            this.expected += d.x * d.y;
            before = d;
        }
        pass.end();
    }

    commands(encode: (encoder: GPUCommandEncoder) => void): void {
        this.firstSubmitMs ||= performance.now();
        this.errors.push(this.r.gpu.submit('submitting work', encode));
        this.r.gpu.submits++;
    }

    /** All that was submitted is done. */
    done(): void {
        this.lastDoneMs = performance.now() - this.heldMs;
    }

    /** Waits for the error scopes of what was submitted. */
    async settle(): Promise<void> {
        const errors = this.errors;
        this.errors = [];
        await Promise.all(errors);
    }

    /** Submits the batch, waits for all that was submitted and judges it; reads these words of the state buffer. */
    async run(words: number[], unsliced: boolean): Promise<Answer> {
        await this.upload();
        const { control, controlRead, plan, buffers } = this.r;
        this.pendingNs += this.workNs;
        this.commands((encoder) => {
            if (!this.cleared) this.clearControl(encoder);
            if (!this.scratchCleared) this.clearScratch(encoder);
            this.scratchCleared = true;
            if (this.items.length > 0) this.dispatchAll(encoder);
            encoder.copyBufferToBuffer(control, 0, controlRead, 0, CONTROL_BYTES);
            words.forEach((word, i) =>
                encoder.copyBufferToBuffer(buffers[plan.stateBuffer!], word * 4, controlRead, CONTROL_BYTES + i * 4, 4),
            );
        });
        this.empty();
        const seconds = Math.max(ANSWER_SECONDS * (unsliced ? 10 : 1), this.pendingNs * 20e-9);
        const all = new Uint32Array(CONTROL_WORDS + words.length);
        await Promise.all([
            this.settle(),
            this.r.gpu.read(controlRead, all.byteLength, seconds, (data) =>
                all.set(new Uint32Array(data, 0, all.length)),
            ),
        ]);
        this.done();
        this.cleared = false;
        this.pendingNs = 0;
        const answer = all.subarray(0, CONTROL_WORDS);
        const cut = answer[Control.groups] !== this.expected >>> 0 || answer[Control.failed] !== 0;
        return { control: answer, words: all.subarray(CONTROL_WORDS), cut };
    }
}
