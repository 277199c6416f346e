// A card of the suite as a part of the page.
import { make } from '../dom.js';
import type { Result, Rung } from './bench.js';
import { ladder } from './ladder.js';
import type { Card } from './suite.js';

export type State = 'idle' | 'busy' | 'good' | 'bad';

const capital = (text: string): string => text[0].toUpperCase() + text.slice(1);

export class CardView {
    readonly element: HTMLElement;
    readonly box: HTMLInputElement;
    private readonly status = make('p', { class: 'state' });
    private readonly body = make('div', { class: 'body' });

    constructor(
        readonly card: Card,
        isOn: boolean,
    ) {
        this.box = make('input', { type: 'checkbox', checked: isOn });
        this.box.checked = isOn;
        const title = make('h3', {}, make('label', {}, this.box, ` ${card.title}`));
        const link = make('a', { href: `./play/?program=${card.program}` }, 'program');
        const about = make('p', { class: 'about' }, `${card.about} `, link);
        this.element = make('article', { class: 'card', id: `card-${card.id}` }, title, about, this.status, this.body);
    }

    say(text: string, state: State): void {
        this.status.textContent = text;
        this.element.dataset.state = state;
    }

    clear(): void {
        this.say('', 'idle');
        this.body.replaceChildren();
    }

    rungs(rungs: readonly Rung[], isOneDispatch: boolean): void {
        const old = this.body.querySelector('.ladder');
        const now = ladder(rungs, isOneDispatch);
        if (old) old.replaceWith(now);
        else this.body.prepend(now);
    }

    show(result: Result, picture: HTMLElement): void {
        this.rungs(result.rungs, result.isOneDispatch);
        this.body.append(picture);
        const note = result.isOneDispatch ? 'Every strategy is this one dispatch.' : '';
        this.say(`✓ ${capital(result.check)}. ${note}`, 'good');
    }

    /** Whatever was measured is taken away. */
    fail(why: string): void {
        this.body.replaceChildren();
        this.say(`No result: ${why}`, 'bad');
    }
}
