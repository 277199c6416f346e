// The gallery of the playground: every program with a picture of what it computed and a paragraph.
import { $, asset, make } from './dom.js';
import type { Listed } from './programs.js';

const TITLES: Record<string, string> = {
    images: 'Pictures: every pixel by itself',
    grids: 'Grids, graphs and sequences: every step needs the one before',
    sims: 'Simulations and policies: iterations that do not need each other',
    evolve: 'Evolution: all generations in one run',
    learning: 'Learning: every round needs the one before',
    arrays: 'Arrays: sorting, transforms, matrices, tables',
    models: 'Models',
};
const MOST = 320; // letters of a paragraph

function shorten(text: string): string {
    if (text.length <= MOST) return text;
    const cut = text.slice(0, MOST);
    return cut.slice(0, Math.max(cut.lastIndexOf('. ') + 1, cut.lastIndexOf('; '), 0)) || `${cut} …`;
}

function card(one: Listed): HTMLElement {
    const capital = one.about[0].toUpperCase() + one.about.slice(1);
    const picture = one.picture
        ? make('img', { src: asset(`gallery/${one.picture}`).href, alt: '', loading: 'lazy', width: 160, height: 120 })
        : '';
    return make(
        'li',
        { class: 'card' },
        picture,
        make('h4', {}, make('a', { href: `?program=${one.id}` }, one.id)),
        make('p', {}, capital),
        one.more ? make('p', { class: 'faint' }, shorten(one.more)) : '',
    );
}

export function showGallery(programs: Listed[]): void {
    for (const [folder, title] of Object.entries(TITLES)) {
        const list = programs.filter((p) => p.folder === folder);
        $('gallery').append(make('h3', {}, title), make('ul', { class: 'cards gallery' }, ...list.map(card)));
    }
}
