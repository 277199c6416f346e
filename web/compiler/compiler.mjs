// The compiler as WebAssembly, for pages and for node: files in, a plan or diagnostics out. Each job has an instance of
// its own, because a compile that fails ends its instance (door.c).

const STATUS_INTERNAL = { status: 'WHORL_INTERNAL', diagnostics: [] };
const TEXTS = { warnings: 0, ir: 1, wgsl: 2, c: 3, explain: 4, plan: 5, comments: 6 };
const SIDES = { start: 0, judged: 1, got: 2 };

/** What went wrong: `status` is a name of whorl.h; `diagnostics`: {severity, file, line, col, message, notes} each. */
export class CompileError extends Error {
    constructor(answer) {
        super(answer.diagnostics[0]?.message ?? answer.status);
        this.name = 'CompileError';
        this.status = answer.status;
        this.diagnostics = answer.diagnostics;
    }
}

/** One program in one instance of the compiler. */
class Job {
    #exports;
    #dead = false;

    constructor(instance) {
        this.#exports = instance.exports;
        this.#exports._initialize();
    }

    #bytes(pointer, size) {
        return new Uint8Array(this.#exports.memory.buffer, pointer, size); // memory moves when it grows
    }

    #put(data) {
        const pointer = this.#exports.alloc(data.length);
        if (pointer === 0) throw new CompileError({ status: 'WHORL_MEMORY', diagnostics: [] });
        this.#bytes(pointer, data.length).set(data);
        return pointer;
    }

    #string(pointer) {
        const memory = new Uint8Array(this.#exports.memory.buffer);
        return new TextDecoder().decode(memory.subarray(pointer, memory.indexOf(0, pointer)));
    }

    #answer() {
        const text = this.#string(this.#exports.answer());
        return text ? JSON.parse(text) : STATUS_INTERNAL;
    }

    // A call that leaves an answer. What traps has said why, unless it is a bug of the compiler's own.
    #call(name, ...args) {
        if (this.#dead) throw new Error('this job has failed; make another one');
        let good = false;
        try {
            good = this.#exports[name](...args) !== 0;
        } catch (error) {
            this.#dead = true;
            if (!(error instanceof WebAssembly.RuntimeError)) throw error;
        }
        if (!good) throw new CompileError(this.#answer());
    }

    addFile(path, content) {
        const data = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        if (this.#exports.file(this.#put(new TextEncoder().encode(path + '\0')), this.#put(data), data.length) === 0)
            throw new Error('too many files');
    }

    target(t) {
        this.#exports.target(
            t.registerWords ?? 0,
            t.busyInvocations ?? 0,
            t.subgroupLanes ?? 0,
            t.workgroupBytes ?? 0,
            t.storageBuffers ?? 0,
            t.bindingBytes ?? 0,
        );
    }

    compile(args) {
        const line = new TextEncoder().encode(args.map((a) => a + '\0').join(''));
        this.#call('compile', args.length, this.#put(line));
        return this.#answer();
    }

    /** The program that is compiled next shares arrays of the same names with this one (whorl_compile_options.beside). */
    beside() {
        this.#call('beside');
    }

    /** One of warnings, ir, wgsl, c, explain, plan, comments. */
    text(what) {
        return this.#string(this.#exports.text(TEXTS[what]));
    }

    /** Makes the arrays that the program starts with. */
    fill() {
        this.#call('fill');
    }

    /** A copy of the array of parameter `index`; side: start, judged or got. null where there is none. */
    array(index, side = 'start') {
        const pointer = this.#exports.array(SIDES[side], index);
        return pointer === 0 ? null : this.#bytes(pointer, this.#exports.array_bytes(index)).slice();
    }

    /** Runs the program in the interpreter, of which each statement counts as a step. */
    judge(maxSteps = 0) {
        this.#call('judge', maxSteps);
    }

    #write(side, outputs) {
        for (const [i, data] of outputs.entries()) {
            const pointer = data ? this.#exports.array(SIDES[side], i) : 0;
            if (pointer === 0) continue;
            if (data.byteLength !== this.#exports.array_bytes(i))
                throw new RangeError(`output ${i} has the wrong size`);
            this.#bytes(pointer, data.byteLength).set(
                new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength),
            );
        }
    }

    /**
     * Outputs (by parameter, null for the others) against the judge's, by the program's `// check:` lines; against
     * `reference` where it is given: outputs of another run.
     */
    check(outputs, reference = null) {
        if (reference) {
            this.#call('sides');
            this.#write('judged', reference);
        }
        this.#write('got', outputs);
        this.#call('check');
        return this.#answer();
    }
}

/** Loads the module: its bytes, or what `fetch` gives. */
export async function loadCompiler(source) {
    const given = await source;
    let module;
    if (!(globalThis.Response && given instanceof Response)) module = await WebAssembly.compile(given);
    else if (!given.ok) throw new Error(`the compiler could not be fetched: ${given.status}`);
    else if (given.headers.get('Content-Type') === 'application/wasm')
        module = await WebAssembly.compileStreaming(given);
    else module = await WebAssembly.compile(await given.arrayBuffer()); // a server that does not know the type
    return {
        /** A job with these files: {path: text}. */
        job(files = {}) {
            const job = new Job(new WebAssembly.Instance(module, {}));
            for (const [path, content] of Object.entries(files)) job.addFile(path, content);
            return job;
        },
    };
}
