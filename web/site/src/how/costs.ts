// What the page How says of this machine's costs, and which of them its figure takes.
import type { Measured } from 'whorl';
import { show } from '../numbers.js';
import type { Costs } from './timeline.js';

/** Microseconds; clocks of pages are coarse, and a difference of two readings may be none. */
const micro = (us: number): string => (us > 0 ? `${show(us)} µs` : "less than this browser's clock can tell");

/** A device's own costs, and those that are usual in place of what its clock could not tell. */
export function costsOf({ waitMs, dispatchUs, grid }: Measured, usual: Costs): Costs {
    const barrier = grid.groups > 1 ? grid.barrierNs / 1000 : 0;
    return { wait: waitMs * 1000 || usual.wait, dispatch: dispatchUs || usual.dispatch, barrier };
}

export function costsWords({ waitMs, dispatchUs, grid }: Measured): string {
    const barrier =
        grid.groups > 1 ? `a barrier ${micro(grid.barrierNs / 1000)}` : 'a barrier stays within one workgroup';
    return `a dispatch that is waited for takes ${micro(waitMs * 1000)}, one of many ${micro(dispatchUs)}, ${barrier}`;
}
