// What GPU this is and what it can do: names, limits, and what the probe measured.
import type { RemoteDevice } from 'whorl';
import { make } from '../dom.js';
import { bytes, show } from '../numbers.js';

const isPhone = (): boolean => /Android|iPhone|iPad|Mobile/.test(navigator.userAgent);

function waits(device: RemoteDevice): string {
    const { grid } = device.measured;
    if (!grid.ok) return `no: ${grid.note || 'they were not seen to wait for each other'}`;
    return `up to ${grid.groupsMax.toLocaleString('en')}`;
}

export function deviceView(device: RemoteDevice): HTMLElement {
    const { limits, measured, features, subgroup } = device;
    const has = (name: string): string => (features.includes(name) ? 'yes' : 'no');
    const sizes = subgroup.least === subgroup.most ? `${subgroup.most}` : `${subgroup.least} to ${subgroup.most}`;
    const use = measured.subgroupLanes > 0 ? `${measured.subgroupLanes} exchange values` : 'not used: values got lost';
    const lanes = subgroup.most > 0 ? `, ${sizes} lanes; ${use}` : '';
    const rows: [string, string][] = [
        ['One dispatch, waited for', `${show(measured.waitMs * 1000)} µs`],
        ['One of many dispatches', `${show(measured.dispatchUs)} µs`],
        ['Workgroups that can wait for each other', waits(device)],
        ['A barrier between them', measured.grid.ok ? `${show(measured.grid.barrierNs / 1000)} µs` : '–'],
        ['Operations', `${show(measured.opsPerSecond / 1e9)} billion a second`],
        ['Reading memory', `${show(measured.readGbps)} GB/s`],
        [
            'A dispatch takes at most',
            `${isPhone() ? 50 : 100} ms; longer work is sliced, so that the driver lets it live`,
        ],
        ['Largest array', bytes(Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize))],
        ['Arrays of a kernel', String(limits.maxStorageBuffersPerShaderStage)],
        [
            'Workgroups',
            `${limits.maxComputeInvocationsPerWorkgroup} invocations, ${bytes(limits.maxComputeWorkgroupStorageSize)} of memory`,
        ],
        ['Half precision (f16)', has('shader-f16')],
        ['Subgroups', has('subgroups') + (features.includes('subgroups') ? lanes : '')],
    ];
    if (measured.loopCap > 0)
        rows.push(['The driver ends loops after', `${show(measured.loopCap)} passes; whorl resumes them`]);
    const list = rows.flatMap(([name, value]) => [make('div', {}, make('dt', {}, name), make('dd', {}, value))]);
    return make('dl', { class: 'facts' }, ...list);
}
