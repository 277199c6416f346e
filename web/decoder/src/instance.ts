// One instance of build/wasm/model.wasm (web/model/model_door.c). A call that is refused traps, and ends its instance.
export type Module = WebAssembly.Module;

/** What a model's reader refuses; `status` is a name of whorl.h. */
export class ModelError extends Error {
    constructor(
        readonly status: string,
        message: string,
    ) {
        super(message);
        this.name = 'ModelError';
    }
}

interface Answer {
    status: string;
    diagnostics?: { message: string }[];
}
type Export = (...args: number[]) => number;

export class Instance {
    private readonly calls: Record<string, Export>;
    private readonly memory: WebAssembly.Memory;
    isDead = false;

    constructor(module: Module) {
        const { exports } = new WebAssembly.Instance(module, {});
        this.calls = exports as unknown as Record<string, Export>;
        this.memory = exports.memory as WebAssembly.Memory;
        this.calls._initialize();
        const seed = crypto.getRandomValues(new Uint32Array(2));
        this.calls.seed(seed[0], seed[1]);
    }

    /** Memory moves when it grows: good until the next call. */
    bytes(at: number, size: number): Uint8Array<ArrayBuffer> {
        return new Uint8Array(this.memory.buffer as ArrayBuffer, at, size);
    }

    alloc(size: number): number {
        const at = this.calls.alloc(Math.max(size, 1)) >>> 0;
        if (at === 0) throw new ModelError('WHORL_MEMORY', `${size} bytes more do not fit into WebAssembly's memory`);
        return at;
    }

    release(at: number): void {
        this.calls.release(at);
    }

    put(data: Uint8Array): number {
        const at = this.alloc(data.length);
        this.bytes(at, data.length).set(data);
        return at;
    }

    putText(text: string): number {
        return this.put(new TextEncoder().encode(`${text}\0`));
    }

    textAt(at: number): string {
        const memory = new Uint8Array(this.memory.buffer, at);
        return new TextDecoder().decode(memory.subarray(0, memory.indexOf(0)));
    }

    /** `beginning`: of a file of so many bytes. */
    addFile(path: string, beginning: Uint8Array, whole = beginning.length): void {
        if (this.calls.file(this.putText(path), this.put(beginning), beginning.length, whole) === 0)
            throw new ModelError('WHORL_LIMIT', `${path}: too many files`);
    }

    /** A plain call, whose result is not a verdict. */
    call(name: string, ...args: number[]): number {
        return this.calls[name](...args) >>> 0;
    }

    /** A call that answers; what it refuses is thrown. */
    ask(name: string, ...args: number[]): number {
        if (this.isDead) throw new ModelError('WHORL_INTERNAL', 'this reader has failed; make another one');
        let result = 0;
        try {
            result = this.call(name, ...args);
        } catch (error) {
            this.isDead = true;
            if (!(error instanceof WebAssembly.RuntimeError)) throw error;
        }
        if (result === 0) throw this.refusal();
        return result;
    }

    answer<T>(): T {
        return JSON.parse(this.textAt(this.call('answer'))) as T;
    }

    private refusal(): ModelError {
        const text = this.textAt(this.call('answer'));
        const answer = (text ? JSON.parse(text) : { status: 'WHORL_INTERNAL' }) as Answer;
        return new ModelError(answer.status, answer.diagnostics?.[0]?.message ?? answer.status);
    }
}
