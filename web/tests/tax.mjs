// The measurement of what a browser costs, web/tools/tax.mjs: what it writes, what it gives no time, what it does without.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driver } from './dawn.mjs';
import { suite } from './suite.mjs';

const { test, check, end } = suite('tax');
const folder = mkdtempSync(join(tmpdir(), 'whorl-'));

/** One round of one small workload: the file's content, or what was said. */
function measure(ways, environment = {}) {
    const out = join(folder, 'out.json');
    rmSync(out, { force: true });
    const env = { ...process.env, ONLY: 'sphere', WHORL_COMMIT: 'a commit', ...environment };
    const { status, stdout, stderr } = spawnSync('node', ['web/tools/tax.mjs', out, '1', ways], { env });
    try {
        return { status, ...JSON.parse(readFileSync(out, 'utf8')) };
    } catch {
        throw new Error(`${stdout}${stderr}`.replaceAll('\n', ' '));
    }
}

await test('writes', () => {
    const all = ['native', 'native_device', 'node', 'node_device'];
    const { status, rows, devices, sizes, commit, missing } = measure(all.join());
    check(status === 0 && rows.length === 1 && sizes === 'small' && commit === 'a commit', JSON.stringify(rows));
    check(Object.keys(missing).length === 0 && devices.native.driver && devices.node.name, JSON.stringify(devices));
    const [{ ways, ratios }] = rows;
    check(Object.keys(ways).join() === all.join(), Object.keys(ways).join());
    for (const [way, of] of Object.entries(ways)) {
        const said = `${way}: ${JSON.stringify(of)}`;
        check(of.samples_ms.length === 1 && of.samples_ms[0].length >= 3, said);
        check(of.low_ms <= of.median_ms && of.median_ms <= of.high_ms && of.execute_median_ms > 0, said);
        check(of.dispatches === 1 && of.slices === 1, said);
    }
    check(
        Math.abs(ratios['node / native'] - ways.node.median_ms / ways.native.median_ms) < 1e-3,
        JSON.stringify(ratios),
    );
    check(ratios['node_device / native_device'] > 0, JSON.stringify(ratios));
});

// A binary that leaves other outputs for one of the plans.
await test('wrong-outputs', () => {
    const liar = join(folder, 'liar.sh');
    writeFileSync(
        liar,
        '#!/bin/sh\nbuild/tax_native "$@" || exit\ncase $2 in *native_device*) for f in "$1"/*.out; do printf abcd | dd of="$f" conv=notrunc 2>&1; done > /dev/null ;; esac\n',
    );
    chmodSync(liar, 0o755);
    const { status, rows } = measure('native,native_device', { TAX_NATIVE: liar });
    const { native, native_device } = rows[0].ways;
    check(status === 1 && native.median_ms > 0, JSON.stringify(native));
    check(/outputs differ: /.test(native_device.error) && !native_device.median_ms, JSON.stringify(native_device));
    check(Object.keys(rows[0].ratios).length === 0, JSON.stringify(rows[0].ratios));
});

await test('without-chromium', () => {
    const { status, rows, missing } = measure('native,chromium', { CHROMIUM: '/nowhere/chromium' });
    check(status === 0 && /^no chromium/.test(missing.chromium), JSON.stringify(missing));
    check(Object.keys(rows[0].ways).join() === 'native', JSON.stringify(rows[0].ways));
});

await test('table', () => {
    const path = join(folder, 'table.json');
    const of = (x) => ({ samples_ms: [[x]], median_ms: x, low_ms: x, high_ms: x, round_medians_ms: [x, 2 * x] });
    const ways = { native: of(2), node: of(3), node_device: { error: 'outputs differ: u' } };
    const rows = [{ workload: 'heat', ways, ratios: { 'node / native': 1.5 } }];
    const devices = { native: { name: 'A GPU', library: 'a library', driver: '1.2' } };
    const date = '2026-01-02T03:04';
    writeFileSync(path, JSON.stringify({ whorl_browser_tax: 2, commit: 'c', date, devices, missing: {}, rows }));
    const { stdout } = spawnSync('node', ['web/tools/tax_table.mjs', path]);
    check(String(stdout).includes('| heat | 2 ms | 3 ms | no time | 1.50 (1.50 to 1.50) |'), String(stdout));
    check(
        /Commit c, 2026-01-02; A GPU, a library, 1\.2\./.test(stdout) && /`node_device`: outputs differ/.test(stdout),
        String(stdout),
    );
});

// Inputs of another size than the plan's, and a plan that is none.
await test('refusals', () => {
    const env = { ...process.env, ...driver() };
    const said = (...args) => String(spawnSync('build/tax_native', args, { env }).stderr);
    cpSync('build/tax/sphere', join(folder, 'sphere'), { recursive: true });
    const plan = join(folder, 'sphere', 'portable.json');
    for (const name of ['0', '1', '2', '3'])
        try {
            writeFileSync(
                join(folder, 'sphere', `${name}.in`),
                readFileSync(join(folder, 'sphere', `${name}.in`)).subarray(4),
            );
        } catch {} // a scalar
    check(
        /bytes, not/.test(said(join(folder, 'sphere'), plan, 'single', '1000')),
        'it takes inputs that are too short',
    );
    writeFileSync(plan, '{}');
    check(
        /tax_native: plan: /.test(said(join(folder, 'sphere'), plan, 'single', '1000')),
        'it takes a plan that is none',
    );
    check(/usage/.test(said(folder, plan, 'fastest', '1000')), 'it takes a strategy that is none');
});

rmSync(folder, { recursive: true });
end();
