// SHA-256 of what comes in pieces (FIPS 180-4): the browser's own wants all of it at once.
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;
const K = Int32Array.from(primes, (p) => fraction(Math.cbrt(p)));

export class Sha256 {
    private readonly state = Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));
    private readonly words = new Int32Array(64);
    private readonly rest = new Uint8Array(64);
    private restSize = 0;
    private size = 0;

    private block(view: DataView, at: number): void {
        const { words: w, state } = this;
        for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
        for (let i = 16; i < 64; i++) {
            const [x, y] = [w[i - 15], w[i - 2]];
            const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
            const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
            w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
        }
        let [a, b, c, d, e, f, g, h] = state;
        for (let i = 0; i < 64; i++) {
            const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
            const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
            const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
            const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
            h = g;
            g = f;
            f = e;
            e = (d + t1) | 0;
            d = c;
            c = b;
            b = a;
            a = (t1 + t2) | 0;
        }
        [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] += value));
    }

    add(data: Uint8Array): void {
        this.size += data.length;
        let at = 0;
        if (this.restSize > 0) {
            at = Math.min(64 - this.restSize, data.length);
            this.rest.set(data.subarray(0, at), this.restSize);
            this.restSize += at;
            if (this.restSize < 64) return;
            this.block(new DataView(this.rest.buffer), 0);
            this.restSize = 0;
        }
        const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
        for (; at + 64 <= data.length; at += 64) this.block(view, at);
        this.rest.set(data.subarray(at));
        this.restSize = data.length - at;
    }

    /** 64 digits; nothing is added afterwards. */
    end(): string {
        const bits = BigInt(this.size) * 8n;
        const tail = new Uint8Array((this.restSize < 56 ? 64 : 128) - this.restSize);
        tail[0] = 0x80;
        new DataView(tail.buffer).setBigUint64(tail.length - 8, bits);
        this.add(tail);
        return Array.from(this.state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
    }
}
