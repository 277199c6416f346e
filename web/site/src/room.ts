// Whether the arrays of a program have room: said before they are made, which takes long where they are large.
import type { Param, Target } from '../../compiler/compiler.mjs';
import { bytes } from './numbers.js';

/** Of the compiler's module in a page: wasm has 4 GiB at most, and it needs some for itself. */
const MODULE_BYTES = 3.75 * 2 ** 30;

const sizeOf = (p: Param): number =>
    p.dims!.reduce((n, dim) => n * dim, p.type === 'bool' ? 1 : Number(p.type.slice(1)) / 8);

/** Why they have none; '' where they do. Inputs lie in the module once, outputs twice more, to be compared. */
export function whyNoRoom(params: readonly Param[], target: Target | null): string {
    const most = target?.bindingBytes ?? Infinity;
    const arrays = params.filter((p) => p.array);
    const large = arrays.find((p) => sizeOf(p) > most);
    if (large)
        return `\`${large.name}\` would have ${bytes(sizeOf(large))}, and this GPU takes arrays of up to ${bytes(most)}: smaller inputs are needed.`;
    const all = arrays.reduce((sum, p) => sum + sizeOf(p) * (p.output ? 3 : 1), 0);
    if (all <= MODULE_BYTES) return '';
    return `The arrays would take ${bytes(all)} with the results to compare, and a page has ${bytes(MODULE_BYTES)} for them: smaller inputs are needed.`;
}
