// What is measured of a device once.
export interface GridSize {
    groups: number;
    barrierNs: number;
}
export interface GridMeasured {
    ok: boolean;
    fencesNeeded: boolean;
    groups: number; // recommended; 0: nobody has measured
    groupsMax: number;
    barrierNs: number;
    spinsPerMs: number;
    sizes: GridSize[];
    note: string;
}
export interface Measured {
    waitMs: number; // a submit of one short dispatch, waited for
    opsPerSecond: number;
    readGbps: number;
    loopCap: number;
    grid: GridMeasured;
}

/** Of a device that was not probed: one workgroup, nothing known. */
export function unmeasured(): Measured {
    return {
        waitMs: 0, opsPerSecond: 0, readGbps: 0, loopCap: 0,
        grid: {
            ok: false, fencesNeeded: false, groups: 1, groupsMax: 1, barrierNs: 0, spinsPerMs: 0, sizes: [],
            note: 'not measured',
        },
    };
}
