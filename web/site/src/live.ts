// A program that is run again and again on what it left, with a field of it, or points, as the picture. The device draws it from its own
// buffer; where this browser or this device cannot, the array is read back for each picture, and drawn by the page.
import type { RemoteDevice, RemoteSession, RemoteView, ViewOptions } from 'whorl';
import type { Built } from './compile_client.js';
import { FILM_SIZE, fieldCanvas, filmCanvas, paint, paintPoints, rgb } from './canvas.js';
import { make, messageOf } from './dom.js';
import { plain } from './plain.js';

interface Field {
    name: string;
    type: string;
    rows: number;
    cols: number;
}
interface Points {
    name: string;
    type: string;
    points: number;
    reach: number;
}
export type Shown = Field | Points;
export type Strategy = 'single' | 'steps' | 'eager';
type State = Record<string, ArrayBufferView>;

/** Kept while the page is open: a device that was lost by drawing would be lost again, and taken away. */
let canDraw = true;

function optionsOf(shown: Shown): ViewOptions {
    if (!('points' in shown)) return { rows: shown.rows, cols: shown.cols };
    const { points, reach } = shown;
    return { points, reach, ...FILM_SIZE, colours: [rgb('--sheet'), rgb('--accent')] };
}

export class Live {
    canvas!: HTMLCanvasElement;
    private view: RemoteView | null = null;

    private constructor(
        private readonly session: RemoteSession,
        private readonly shown: Shown,
    ) {}

    /** The arrays are copied; what `state` does not have is the program's own input. */
    private static async load(
        device: RemoteDevice,
        built: Built,
        state: State,
        strategy: Strategy,
    ): Promise<RemoteSession> {
        const session = await device.session(built.plan, { strategy });
        for (const [i, p] of built.compiled.params.entries()) {
            const data = state[p.name] ?? built.arrays[i];
            if (p.array && data)
                await session.write(p.name, new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice());
        }
        await session.settle();
        return session;
    }

    static async open(
        device: RemoteDevice,
        built: Built,
        state: State,
        strategy: Strategy,
        shown: Shown,
    ): Promise<Live> {
        // A program on the CPU as device gains nothing, and some browsers end it when it draws.
        if (canDraw && !device.isSoftware) {
            const live = new Live(await Live.load(device, built, state, strategy), shown);
            try {
                live.canvas = make('canvas', { class: 'points' in shown ? 'film' : 'field', role: 'img' });
                live.view = await live.session.view(shown.name, live.canvas, optionsOf(shown));
                await live.draw();
                if (!('points' in shown)) fieldCanvas(shown.rows, shown.cols, live.canvas);
                return live;
            } catch {
                live.destroy();
                canDraw = false;
            }
        }
        const live = new Live(await Live.load(device, built, state, strategy), shown);
        live.canvas = 'points' in shown ? filmCanvas() : fieldCanvas(shown.rows, shown.cols);
        await live.draw();
        return live;
    }

    /** One more call of the program on what the last one left. */
    async run(scalars: Record<string, number> = {}, signal?: AbortSignal): Promise<void> {
        await this.session.run({ scalars, signal });
    }

    async draw(): Promise<void> {
        const { canvas, shown } = this;
        if (this.view) return this.view.draw();
        const data = plain(await this.session.read(shown.name), shown.type);
        if ('points' in shown) paintPoints(canvas, data, shown.reach);
        else paint(canvas, shown.rows, shown.cols, data);
    }

    /** From here on pages draw; true if that is a change for this picture. A device may be lost some frames after the first. */
    leaveToPage(): boolean {
        canDraw = false;
        return this.view !== null;
    }

    get isDrawnByDevice(): boolean {
        return this.view !== null;
    }

    destroy(): void {
        this.session.destroy();
    }
}

export interface Film {
    open(): Promise<Live>;
    /** Makes the next state. */
    next(live: Live, frame: number, signal: AbortSignal): Promise<void>;
    frames: number; // Infinity: until it is stopped
    label: string; // of the button
    isMotion?: boolean; // it plays by itself where motion is welcome
    about?: string; // what is to be seen
}

/** A button that plays, and a place for what went wrong; the picture that stands there before is replaced. */
export function player(first: HTMLElement, film: Film): HTMLElement[] {
    const button = make('button', { type: 'button', class: film.isMotion ? 'live motion' : 'live' }, film.label);
    const said = make('span', { role: 'status', class: 'faint' }, film.about ? ` ${film.about}` : '');
    let picture = first;
    let controller: AbortController | null = null;

    const show = (live: Live): void => {
        const { canvas } = live;
        canvas.setAttribute('aria-label', picture.getAttribute('aria-label') ?? '');
        canvas.dataset.by = live.isDrawnByDevice ? 'device' : 'page';
        picture.replaceWith(canvas);
        picture = canvas;
    };
    const play = async (signal: AbortSignal): Promise<void> => {
        const live = await film.open();
        try {
            show(live);
            for (let frame = 1; frame <= film.frames && !signal.aborted && picture.isConnected; frame++) {
                await film.next(live, frame, signal);
                await live.draw();
                if (frame % 10 === 0 || frame === film.frames) said.textContent = ` ${frame} frames`;
                await new Promise(requestAnimationFrame);
            }
        } catch (error) {
            if (signal.aborted || !live.leaveToPage()) throw error;
            return play(signal);
        } finally {
            live.destroy();
        }
    };
    button.onclick = async () => {
        if (controller) return controller.abort();
        controller = new AbortController();
        const { signal } = controller;
        button.textContent = 'Stop';
        try {
            await play(signal);
        } catch (error) {
            if (!signal.aborted) said.textContent = ` ${messageOf(error)}`;
        }
        controller = null;
        button.textContent = `${film.label} again`;
    };
    return [button, said];
}
