// The lessons of the playground: a program, what to do with it, and what to look at.
import { $, make } from './dom.js';

interface Step {
    button: string; // puts the program into the editor, with these inputs
    inputs: string;
    text: string; // what to do then, and what to see
}
interface Lesson {
    id: string; // of the program, too
    title: string;
    about: string;
    steps: Step[];
}

export const lessons: Lesson[] = [
    {
        id: 'fuse',
        title: 'Four loops as one',
        about:
            'Four element-wise loops over 64 MB. Each is a few operations for every number that it reads and writes, so ' +
            'the time is that of memory, not of arithmetic.',
        steps: [
            {
                button: 'Load the four loops',
                inputs: '',
                text:
                    'Compare all three. As eager the data passes through memory eight times, as steps and single twice: the ' +
                    'line "memory traffic" under the editor says so, and so does the time. Under "Kernels" there is one ' +
                    'kernel that keeps the three arrays in between in registers.',
            },
        ],
    },
    {
        id: 'barrier',
        title: "A barrier's price",
        about:
            'A ring of cells that look at their neighbours, step after step. Another workgroup may have computed a ' +
            'neighbour: so all of them wait for each other, once a step.',
        steps: [
            {
                button: 'Load it with neighbours',
                inputs: '',
                text: 'Compare all three, and note the time as single. "What the compiler did" names the barrier and its reason.',
            },
            {
                button: 'Load it without neighbours',
                inputs: '-D ALONE',
                text:
                    'The same arithmetic, but every cell looks at itself only. No barrier is left, the loop over time moves ' +
                    'inside, and a cell stays in a register. What single takes less now is the price of the barriers.',
            },
        ],
    },
    {
        id: 'stepform',
        title: 'Why a step form is slow',
        about:
            'Many pendulums in the way of an array language: every operation of a step is a loop over all of them. This is ' +
            'how simulations are usually brought to a GPU.',
        steps: [
            {
                button: 'Load the pendulums',
                inputs: '',
                text:
                    'Compare all three. eager is four dispatches a step, steps is one, single is one for all steps: no pendulum ' +
                    'needs another one, so the compiler moves the loop over time inside of the loop over the pendulums.',
            },
        ],
    },
    {
        id: 'tiles',
        title: 'Tiles for a product',
        about: 'The product of two matrices, and what it gains when an iteration computes more than one element.',
        steps: [
            {
                button: 'Load the plain product',
                inputs: '-D TILE=1',
                text: 'Run it. Every multiplication reads two numbers from memory.',
            },
            {
                button: 'Load it with tiles',
                inputs: '',
                text: 'Run it. Sixteen elements share eight numbers, which stay in registers.',
            },
            {
                button: 'Load it with larger tiles',
                inputs: '-D TILE=8',
                text: 'Run it. Whether this is faster still depends on how many registers the GPU has for an invocation.',
            },
        ],
    },
];

/** Links to all lessons, and the one that is asked for. `load` puts a program into the editor. */
export function showLessons(asked: string | null, load: (id: string, inputs: string) => void): void {
    $('lessons').replaceChildren(
        ...lessons.map((l) =>
            make('li', {}, make('a', { href: `?lesson=${l.id}`, 'aria-current': l.id === asked && 'page' }, l.title)),
        ),
    );
    const lesson = lessons.find((l) => l.id === asked);
    if (!lesson) return;
    const steps = lesson.steps.map((step) => {
        const button = make('button', { type: 'button' }, step.button);
        button.onclick = () => load(lesson.id, step.inputs);
        return make('li', {}, button, make('p', {}, step.text));
    });
    const sizes =
        'With "small sizes" ticked the program is small enough for any device; untick it for the sizes meant here.';
    $('lesson').replaceChildren(
        make('h2', {}, lesson.title),
        make('p', {}, lesson.about),
        make('ol', {}, ...steps),
        make('p', { class: 'faint' }, sizes),
    );
    $('lesson').hidden = false;
}
