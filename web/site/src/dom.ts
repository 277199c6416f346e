// Small helpers for pages that are made of plain elements.
export const $ = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T;

/** A file of the site, from whatever page: scripts lie one folder deep, in development and when built. */
const here = import.meta.url;
export const asset = (path: string): URL => new URL(`../${path}`, here);

type Child = Node | string;
type Attributes = Record<string, string | number | boolean | undefined>;

function attributes(element: Element, given: Attributes): void {
    for (const [name, value] of Object.entries(given))
        if (value === true) element.setAttribute(name, '');
        else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
}

export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    given: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    attributes(element, given);
    element.append(...children);
    return element;
}

export function makeSvg(tag: string, given: Attributes = {}, ...children: Child[]): SVGElement {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    attributes(element, given);
    element.append(...children);
    return element;
}

export function say(place: HTMLElement | string, text: string, kind = ''): void {
    const element = typeof place === 'string' ? $(place) : place;
    element.textContent = text;
    element.className = kind;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Saves a text as a file of the visitor's. */
export function download(name: string, text: string, type: string): void {
    const url = URL.createObjectURL(new Blob([text], { type }));
    make('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1e4);
}

export const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
