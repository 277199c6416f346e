// The tokens that a model found likeliest in one place. The twin of src/serve/likeliest.c.

export interface Likely {
    id: number;
    likely: number; // logarithm of its share
}

/** In descending order, of equal ones the lower id first; a logit that is no number is none of them. */
export function likeliest(logits: Float32Array, count: number): Likely[] {
    const found: Likely[] = [];
    logits.forEach((logit, id) => {
        if (Number.isNaN(logit)) return;
        let at = found.length;
        while (at > 0 && found[at - 1].likely < logit) at--;
        if (at === count) return;
        found.splice(at, 0, { id, likely: logit });
        if (found.length > count) found.pop();
    });
    const top = found[0]?.likely ?? 0;
    let whole = 0;
    for (const logit of logits) if (!Number.isNaN(logit)) whole += Math.exp(logit - top);
    return found.map(({ id, likely }) => ({ id, likely: Math.fround(likely - top - Math.log(whole)) }));
}
