// Pictures follow the page when it turns dark or light, as long as somebody has them: what a page drew before and let go
// of, with its data, is not held.

const redraws = new WeakMap<object, () => void>();
const pictures = new Set<WeakRef<object>>();
let isHeard = false;

function redrawAll(): void {
    for (const picture of pictures) {
        const element = picture.deref();
        if (element) redraws.get(element)!();
        else pictures.delete(picture);
    }
}

/** `redraw` is called whenever the page has changed while the element is there. */
export function follow(element: object, redraw: () => void): void {
    if (!isHeard) matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);
    isHeard = true;
    for (const picture of pictures) if (!picture.deref()) pictures.delete(picture);
    redraws.set(element, redraw);
    pictures.add(new WeakRef(element));
}
