// The panel "Which model?": the site's own, files that a visitor opened, and those that were fetched.
import { $, make, messageOf, say } from '../dom.js';
import { bytes } from '../numbers.js';
import type { ModelClient } from './client.js';
import type { DeviceAbout, ModelAbout, Place } from './protocol.js';

export const TINY = 'models/tiny';
const DONE = '✓ ';

interface Choice {
    name: string;
    place: Place;
}

/** What a model needs, against what there is. */
export function describe(about: ModelAbout, device: DeviceAbout | null): string {
    const { estimate: e } = about;
    const needs =
        `${about.family}, ${about.layers} layers, ${about.vocab.toLocaleString('en')} words, ${about.form}: ` +
        `${bytes(e.fileBytes)} in files, ${bytes(e.bytes)} on the GPU (weights ${bytes(e.weightBytes)}, the rest for texts of ` +
        `${about.context.toLocaleString('en')} tokens), its largest buffer ${bytes(e.largestBytes)}`;
    const limit = device ? ` of ${bytes(device.mostBytes)} that one may have here` : '';
    const memory = (navigator as { deviceMemory?: number }).deviceMemory;
    const much =
        memory && e.bytes > memory * 2 ** 29
            ? ` This machine says that it has ${memory} GiB of memory: that is tight.`
            : '';
    return `${needs}${limit}.${much}`;
}

export class Models {
    private readonly choices: Choice[] = [
        { name: 'models/tiny: 5.5 million weights, 11 MB, of this site', place: { kind: 'site', folder: TINY } },
    ];
    private readonly select = $<HTMLSelectElement>('model');

    constructor(
        private readonly client: () => ModelClient,
        private readonly chosen: () => void,
        private readonly busy: (job: (signal: AbortSignal) => Promise<void>) => Promise<void>,
        private readonly told: (told: { text: string; part: number }) => void,
        private readonly look: (place: Place, signal: AbortSignal) => Promise<void>,
    ) {
        this.select.onchange = () => this.changed();
        for (const id of ['files', 'folder'])
            $<HTMLInputElement>(id).onchange = () => this.take([...($<HTMLInputElement>(id).files ?? [])]);
        const drop = $('drop');
        drop.ondragover = (event) => event.preventDefault();
        drop.ondrop = (event) => {
            event.preventDefault();
            this.take([...(event.dataTransfer?.files ?? [])]);
        };
        $<HTMLFormElement>('remote').onsubmit = (event) => {
            event.preventDefault();
            const url = $<HTMLInputElement>('url').value;
            void this.busy((signal) => this.look({ kind: 'url', url }, signal));
        };
        $('fetch').onclick = () =>
            $<HTMLFormElement>('remote').reportValidity() && void this.busy((signal) => this.fetch(signal));
        $('remove').onclick = () => void this.remove();
        this.show(0);
    }

    get place(): Place {
        return this.choices[Math.max(this.select.selectedIndex, 0)].place;
    }

    get isTiny(): boolean {
        return this.place.kind === 'site';
    }

    private show(index: number): void {
        this.select.replaceChildren(...this.choices.map(({ name }) => make('option', {}, name)));
        this.select.selectedIndex = index;
        $('remove').hidden = this.place.kind !== 'kept';
    }

    private changed(): void {
        $('remove').hidden = this.place.kind !== 'kept';
        say('about', '');
        this.chosen();
        const { place } = this;
        if (place.kind === 'files') void this.busy((signal) => this.look(place, signal)); // only beginnings are read
    }

    private take(files: File[]): void {
        const wanted = files.filter((f) => /\.(gguf|safetensors|json|jinja)$/i.test(f.name));
        const weights = wanted.find((f) => /\.(gguf|safetensors)$/i.test(f.name));
        if (!weights) {
            say('status', ''); // of the model before
            return say('about', 'No .gguf and no .safetensors file is among these.', 'bad');
        }
        const name = `${weights.name}${wanted.length > 1 ? ` and ${wanted.length - 1} more` : ''}, of your files`;
        this.choices.push({ name, place: { kind: 'files', files: wanted } });
        this.show(this.choices.length - 1);
        this.changed();
    }

    private async fetch(signal: AbortSignal): Promise<void> {
        const url = $<HTMLInputElement>('url').value;
        const sha256 = $<HTMLInputElement>('sha256').value.trim();
        const id = await this.client().ask({ kind: 'fetch', url, sha256 }, { told: this.told, signal });
        await this.refresh(id);
        this.chosen();
        say('status', `Fetched and kept${sha256 ? '; its SHA-256 is the one that you gave' : ''}.`, 'good');
        await this.look(this.place, signal);
    }

    private async remove(): Promise<void> {
        const { place } = this;
        if (place.kind !== 'kept') return;
        try {
            await this.client().ask({ kind: 'remove', id: place.id });
            await this.refresh();
            this.changed();
            say('status', 'Removed from this browser.', 'good');
        } catch (error) {
            say('status', messageOf(error), 'bad');
        }
    }

    /** What is kept, as it is now; `id` is chosen. */
    async refresh(id?: string): Promise<void> {
        const kept = await this.client().ask({ kind: 'kept' });
        const before = this.place;
        const others = this.choices.filter(({ place }) => place.kind !== 'kept');
        this.choices.length = 0;
        this.choices.push(...others);
        for (const one of kept) {
            const state = one.isDone ? `${DONE}${bytes(one.bytes)}, kept here` : 'not fetched to its end';
            this.choices.push({ name: `${one.name}: ${state}`, place: { kind: 'kept', id: one.id } });
        }
        const wanted = this.choices.findIndex(({ place }) =>
            id === undefined ? place === before : place.kind === 'kept' && place.id === id,
        );
        this.show(Math.max(wanted, 0));
    }
}
