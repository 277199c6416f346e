// The suite: what is run, at which sizes, and how it is drawn. The small sizes are those that the interpreter can judge
// in a second; the large ones are the programs' own.
export const sizes = ['small', 'medium', 'large'] as const;
export type Size = (typeof sizes)[number];

export interface Picture {
    kind: 'sorted' | 'field' | 'bodies' | 'swing' | 'trading' | 'curve' | 'running' | 'price' | 'tokens';
    array: string; // the output that is drawn
    says: string; // of the picture
    /** The run as a film: what is left after some steps goes on (`steps`), or each picture is a run of its own. */
    film?: 'goes on' | 'anew';
}
export interface Card {
    id: string;
    title: string;
    program: string;
    about: string;
    /** Inputs, as the command line takes them; what is not said comes from the program's `// run:` line. */
    inputs: Record<Size, string>;
    picture: Picture;
    /** Not run at this size or a smaller one unless asked for. */
    asked?: Size;
}
export interface Group {
    title: string;
    about: string;
    cards: Card[];
}

const sorted = (array: string, says: string): Picture => ({ kind: 'sorted', array, says });
const field = (array: string, says: string, film: Picture['film']): Picture => ({ kind: 'field', array, says, film });

function testFunction(id: string, title: string, about: string): Card {
    return {
        id,
        title,
        program: id,
        about,
        inputs: { small: 'pop=512 dim=500', medium: 'pop=4096 dim=500', large: '' },
        picture: sorted('fitness', 'The fitness of every individual, worst to best'),
    };
}

function decoder(d: number, layers: number, asked?: Size): Card {
    const inputs =
        `layers=${layers} d=${d} heads=2 kv=2 hd=${d / 2} ffn=${4 * d} vocab=256 context=64 task=0,1,64 count=63 ` +
        'embed=normal:sd=0.05,seed=1 wqkv=normal:sd=0.1,seed=2 wo=normal:sd=0.1,seed=5 gate=normal:sd=0.1,seed=6 ' +
        'up=normal:sd=0.1,seed=7 down=normal:sd=0.1,seed=8 how=1,1,0,1 rule=0,1';
    return {
        id: `decoder-${d}x${layers}`,
        title: `Tiny decoder, width ${d}, ${layers} layer${layers === 1 ? '' : 's'}`,
        program: 'transformer',
        about: '63 tokens, each after the one before it: attention over all so far, the choice of the next, and the loop.',
        inputs: { small: inputs, medium: inputs, large: inputs },
        picture: { kind: 'tokens', array: 'keys', says: 'The keys of the last layer, a row for each token' },
        asked,
    };
}

export const groups: Group[] = [
    {
        title: 'Grids and bodies',
        about: 'Every step needs its neighbours of the step before: as one dispatch, with barriers inside.',
        cards: [
            {
                id: 'heat',
                title: 'Heat on a plate',
                program: 'heat',
                about: 'Each cell becomes the mean of itself and its neighbours, step after step.',
                inputs: { small: 'n=64 steps=200', medium: 'n=128 steps=2000', large: '' },
                picture: field('u', 'The plate at the end: blue is cold, yellow is hot', 'goes on'),
            },
            {
                id: 'nbody',
                title: 'Bodies that attract each other',
                program: 'nbody',
                about: 'All pairs, every step.',
                inputs: {
                    small: 'n=128 steps=40 position=normal:sd=5,seed=1',
                    medium: 'n=256 steps=200 position=normal:sd=10,seed=1',
                    large: '',
                },
                picture: {
                    kind: 'bodies',
                    array: 'position',
                    says: 'The bodies, from the state that the run ended in',
                },
            },
            {
                id: 'wave',
                title: 'A wave',
                program: 'wave',
                about: 'Two arrays of the past make the next one.',
                inputs: { small: 'n=64 steps=150', medium: 'n=256 steps=1000', large: '' },
                picture: field('u', 'The height of the water at the end', 'anew'),
            },
            {
                id: 'game_of_life',
                title: 'Game of life',
                program: 'game_of_life',
                about: 'Integers only: every device has to give the same cells.',
                inputs: { small: 'n=64 steps=100', medium: 'n=256 steps=500', large: '' },
                picture: field('cells', 'The cells that live at the end', 'goes on'),
            },
        ],
    },
    {
        title: 'Policies',
        about: 'A population of small networks, each of which lives through an episode of its own.',
        cards: [
            {
                id: 'acrobot',
                title: 'Acrobot, step by step',
                program: 'acrobot_steps',
                about: 'Written as an array language would: fifteen loops over the population for a step of time.',
                inputs: { small: 'pop=64 steps=100', medium: 'pop=1024 steps=200', large: '' },
                picture: sorted('height', 'The greatest height of each tip, lowest to highest'),
            },
            {
                id: 'trading',
                title: 'Trading, day by day',
                program: 'finance_steps',
                about: 'A network with a memory holds sixteen shares; every operation of a day is a loop over the population.',
                inputs: { small: 'pop=128 steps=60', medium: 'pop=1000 steps=300', large: '' },
                picture: {
                    kind: 'trading',
                    array: 'wealth',
                    says: 'Wealth of the best, the median and the worst policy',
                },
            },
            {
                id: 'cartpole',
                title: 'CartPole',
                program: 'cartpole',
                about: 'An episode ends when the pole falls: how long a loop is depends on the data.',
                inputs: { small: 'pop=1024', medium: '', large: 'pop=65536' },
                picture: sorted('fitness', 'How many steps each policy balanced the pole'),
            },
            {
                id: 'mountaincar',
                title: 'MountainCar',
                program: 'mountaincar',
                about: 'The engine is too weak for the hill: a car has to swing back first.',
                inputs: { small: 'pop=256', medium: '', large: 'pop=65536' },
                picture: sorted('highest', 'The highest place that each car reached'),
            },
            {
                id: 'pendulum',
                title: 'Pendulum',
                program: 'pendulum',
                about: 'A torque of any size, to swing up and to hold.',
                inputs: { small: 'pop=256 steps=60', medium: '', large: 'pop=65536' },
                picture: sorted('fitness', 'The return of each policy, worst to best'),
            },
        ],
    },
    {
        title: 'Evolution',
        about: 'All generations in one dispatch: selection crosses the population, so there is a barrier in each.',
        cards: [
            {
                id: 'evolve',
                title: 'A genetic algorithm',
                program: 'ga_rastrigin',
                about: "Looks for the minimum of Rastrigin's function: tournament, crossover, mutation, elitism.",
                inputs: {
                    small: 'pop=64 dim=24 gens=20',
                    medium: 'pop=512 dim=64 gens=100',
                    large: 'pop=1024 dim=32 gens=1000',
                },
                picture: { kind: 'curve', array: 'best', says: 'The best fitness of each generation' },
            },
            {
                id: 'swing',
                title: 'Acrobots bred from nothing',
                program: 'ga_acrobot',
                about: 'Rollouts, selection and mutation of the whole population, generation after generation.',
                inputs: {
                    small: 'pop=64 gens=4 steps=120',
                    medium: 'pop=512 gens=6 steps=500',
                    large: 'pop=4096 gens=20 steps=500',
                },
                picture: { kind: 'swing', array: 'policy', says: 'The best policy of the last generation swings up' },
            },
        ],
    },
    {
        title: 'Iterations that do not need each other',
        about: 'One parallel loop is one dispatch whatever the form: here it is the kernel that counts.',
        cards: [
            testFunction('rastrigin', 'Rastrigin', 'Many local minima.'),
            testFunction('sphere', 'Sphere', 'A bowl: as fast as the numbers come from memory.'),
            testFunction('ackley', 'Ackley', 'Flat outside, a hole in the middle.'),
            testFunction('schwefel', 'Schwefel', 'Its minimum lies near the edge.'),
            {
                ...testFunction('griewank', 'Griewank', 'A sum and a product.'),
                inputs: { small: 'pop=512 dim=100', medium: 'pop=4096 dim=500', large: '' },
            },
            {
                id: 'montecarlo',
                title: 'Pi by counting points',
                program: 'montecarlo_pi',
                about: 'Random numbers that are the same on every device, and counts that must be, too.',
                inputs: { small: 'workers=256 blocks=250', medium: 'blocks=2500', large: '' },
                picture: { kind: 'running', array: 'estimate', says: 'The mean of the first workers, against pi' },
            },
            {
                id: 'options',
                title: 'The price of an option',
                program: 'options',
                about: 'Monte Carlo of an Asian call, with a control variate.',
                inputs: { small: 'paths=2000 steps=30', medium: 'paths=100000 steps=100', large: '' },
                picture: {
                    kind: 'price',
                    array: 'result',
                    says: 'The price with its standard error, by two estimates',
                },
            },
        ],
    },
    {
        title: 'A decoder',
        about: 'The next token needs the last one: many short dispatches, or one.',
        cards: [
            decoder(32, 1),
            decoder(32, 4, 'small'),
            decoder(64, 1, 'small'),
            decoder(64, 4, 'small'),
            decoder(128, 1, 'small'),
            decoder(128, 4, 'medium'),
        ],
    },
];

export const cards: Card[] = groups.flatMap((g) => g.cards);

/** Is the card in the suite of this size, if nobody said? */
export const isIncluded = (card: Card, size: Size): boolean =>
    card.asked === undefined || sizes.indexOf(size) > sizes.indexOf(card.asked);
