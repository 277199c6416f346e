// The pictures of the gallery, from what the programs compute on the CPU with the inputs of site/gallery.json: into
// build/gallery, where they stay until a program or the list changes.  gallery() gives their names by program.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { curves, png, points, readNpy } from './picture.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}build/gallery`;
const list = JSON.parse(readFileSync(`${root}web/site/gallery.json`, 'utf8'));

// What is drawn as: 'field', 'curve', 'sorted', 'log', 'rows' or 'points'; `cols`: a vector as a matrix, `slice`: which matrix of many; [the file's kind, its content].
function draw({ shape, data }, how) {
    if (how.below !== undefined) data = data.map((x) => Math.min(x, how.below));
    const dims = shape.filter((d) => d > 1);
    if (how.cols) return ['png', png(data.length / how.cols, how.cols, data)];
    if (how.as === 'points') return ['svg', points(data, dims.at(-1))];
    if (how.as === 'sorted') return ['svg', curves([data.slice().sort()])];
    if (how.as === 'log') return ['svg', curves([Float32Array.from(data, Math.log10)])];
    if (how.as === 'rows')
        return [
            'svg',
            curves(Array.from({ length: dims[0] }, (_, i) => data.subarray(i * dims[1], (i + 1) * dims[1]))),
        ];
    if (dims.length < 2) return ['svg', curves([data])];
    const [rows, cols] = dims.slice(-2);
    return ['png', png(rows, cols, data.subarray((how.slice ?? 0) * rows * cols))];
}

function make(path, how) {
    const npy = `${folder}/output.npy`;
    const inputs = how.inputs.split(' ').flatMap((input) => ['-i', input]);
    const args = ['run', `${root}${path}`, '--device=cpu', '-q', ...inputs, '-o', `${how.draw}=${npy}`];
    execFileSync(`${root}build/whorl`, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const drawn = draw(readNpy(npy), how);
    rmSync(npy);
    return drawn;
}

/** programs: [{ id, path }]; the folder with the pictures, and the file's name of each program that has one. */
export function gallery(programs) {
    mkdirSync(folder, { recursive: true });
    const names = {};
    for (const { id, path } of programs) {
        const how = list[id];
        if (!how) continue;
        const stamp = `${folder}/${id}.json`;
        const now = JSON.stringify([
            how,
            statSync(`${root}${path}`).mtimeMs,
            statSync(fileURLToPath(import.meta.url)).mtimeMs,
        ]);
        const old = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : null;
        if (old?.now !== now || !existsSync(`${folder}/${old.name}`)) {
            const [kind, content] = make(path, how);
            writeFileSync(`${folder}/${id}.${kind}`, content);
            writeFileSync(stamp, JSON.stringify({ now, name: `${id}.${kind}` }));
        }
        names[id] = JSON.parse(readFileSync(stamp, 'utf8')).name;
    }
    return { folder, names };
}
