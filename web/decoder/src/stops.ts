// Stop texts: what may be the beginning of one is held back until it is known.
export class Stops {
    private held = '';
    found = false;

    constructor(private readonly texts: readonly string[]) {}

    /** What of the text so far can be told. */
    add(text: string): string {
        if (this.found) return '';
        this.held += text;
        let safe = 0;
        for (; safe < this.held.length; safe++) {
            const rest = this.held.slice(safe);
            const may = this.texts.filter((stop) => stop.startsWith(rest) || rest.startsWith(stop));
            if (may.length === 0) continue;
            this.found = may.some((stop) => rest.startsWith(stop));
            break;
        }
        const out = this.held.slice(0, safe);
        this.held = this.found ? '' : this.held.slice(safe);
        return out;
    }

    /** The text is over: what was held back is no stop. */
    end(): string {
        const out = this.held;
        this.held = '';
        return out;
    }
}
