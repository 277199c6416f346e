// What web/tools/tax.mjs measured, as a table for a document.  node web/tools/tax_table.mjs bench/results/browser-tax-DEVICE-DATE.json
import { readFileSync } from 'node:fs';

const [, , path] = process.argv;
const file = path ? JSON.parse(readFileSync(path, 'utf8')) : {};
if (file.whorl_browser_tax !== 2) {
    console.error('usage: node web/tools/tax_table.mjs FILE, of web/tools/tax.mjs');
    process.exit(2);
}
const { rows, devices, missing } = file;
const ways = Object.keys(rows[0].ways);
const pairs = [...new Set(rows.flatMap((row) => Object.keys(row.ratios)))];
const ms = ({ median_ms: x, error }) => (error ? 'no time' : `${Number(x.toPrecision(3))} ms`);
const line = (cells) => `| ${cells.join(' | ')} |`;
const code = (name) => name.replace(/\w+/g, '`$&`');

/** The largest and the least that the medians of single rounds give: how far to trust it. */
function ratio(row, pair) {
    const [a, b] = pair.split(' / ').map((way) => row.ways[way]);
    if (!row.ratios[pair]) return '–';
    const each = a.round_medians_ms.map((x, i) => x / b.round_medians_ms[i]);
    const show = (x) => x.toFixed(2);
    return `${show(row.ratios[pair])} (${show(Math.min(...each))} to ${show(Math.max(...each))})`;
}

const names = Object.values(devices).map(({ name, library, driver }) =>
    [name, library, driver].filter((x) => x).join(', '),
);
console.log(`Commit ${file.commit}, ${file.date.slice(0, 10)}; ${names.join('; ')}.`);
for (const [name, why] of Object.entries(missing)) console.log(`Without ${name}: ${why}.`);
console.log();
console.log(line(['workload', ...ways.map(code), ...pairs.map(code)]));
console.log(`|---|${'---:|'.repeat(ways.length + pairs.length)}`);
for (const row of rows)
    console.log(
        line([row.workload, ...ways.map((way) => ms(row.ways[way])), ...pairs.map((pair) => ratio(row, pair))]),
    );
const failed = rows.flatMap(({ workload, ways: all }) =>
    Object.entries(all).map(([way, { error }]) => [workload, way, error]),
);
for (const [workload, way, error] of failed) if (error) console.log(`\n${workload}, \`${way}\`: ${error}.`);
