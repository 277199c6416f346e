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

/** A paragraph of a program's head: what stands between backticks is code. */
const paragraph = (text: string, kind = ''): HTMLElement =>
    make('p', { class: kind || false }, ...text.split('`').map((t, i) => (i % 2 ? make('code', {}, t) : t)));

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
        paragraph(capital),
        one.more ? paragraph(shorten(one.more), 'faint') : '',
    );
}

export function showGallery(programs: Listed[]): void {
    const parts = Object.entries(TITLES).map(([folder, title]) => {
        const list = programs.filter((p) => p.folder === folder);
        const [name] = title.split(':');
        return { id: `gallery-${folder}`, title, link: `${name} (${list.length})`, list };
    });
    const links = parts.map(({ id, link }) => make('li', {}, make('a', { href: `#${id}` }, link)));
    $('gallery').append(
        make('nav', { 'aria-label': 'Parts of the gallery' }, make('ul', { class: 'lessons' }, ...links)),
    );
    for (const { id, title, list } of parts)
        $('gallery').append(make('h3', { id }, title), make('ul', { class: 'cards gallery' }, ...list.map(card)));
}
