// What the compiler may assume of a device: the twin of take_probe in src/run/api/device.c.
import type { Measured } from './probe.js';

/** As `Target` of web/compiler; what is left out is what every device offers. */
export interface Target {
    busyInvocations: number;
    subgroupLanes: number;
    workgroupBytes: number;
    storageBuffers: number;
    bindingBytes: number;
}
const BUSY = { software: 64, least: 4096, notMeasured: 65536 } as const;
const GROUP = 256;
const MOST_WORKGROUP_BYTES = 32768;

// A quarter of the invocations that there is room for hide most of memory's latency.
function busyInvocations(measured: Measured, isSoftware: boolean): number {
    if (isSoftware) return BUSY.software;
    const { groupsMax } = measured.grid;
    if (groupsMax < 2) return BUSY.notMeasured;
    let busy: number = BUSY.least;
    while (busy <= (groupsMax * GROUP) / 8) busy *= 2;
    return busy;
}

/** `limits`: by the names of GPUSupportedLimits. */
export function targetOf(limits: Record<string, number>, measured: Measured, isSoftware: boolean): Target {
    return {
        busyInvocations: busyInvocations(measured, isSoftware),
        subgroupLanes: measured.subgroupLanes,
        workgroupBytes: Math.min(limits.maxComputeWorkgroupStorageSize, MOST_WORKGROUP_BYTES),
        storageBuffers: Math.max(limits.maxStorageBuffersPerShaderStage, 8),
        bindingBytes: limits.maxStorageBufferBindingSize,
    };
}
