// What all pages have in common: the policy, the style, the links between them. A page says `<!-- head -->` and
// `<!-- top NAME -->`, `<!-- foot -->`.
const PAGES = [
    ['run', '', 'Run'],
    ['play', 'play/', 'Playground'],
    ['decoder', 'decoder/', 'Decoder'],
    ['results', 'results/', 'Results'],
    ['how', 'how/', 'How'],
    ['privacy', 'privacy/', 'Privacy'],
];
// Only the compiler needs more than scripts of our own: WebAssembly.
const POLICY =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
    "object-src 'none'; base-uri 'none'; form-action 'none'";

const head = (root, isServed) => `<meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${isServed ? '' : `<meta http-equiv="Content-Security-Policy" content="${POLICY}" />`}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${root}icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${root}src/style.css" />`;

const top = (root, name) => `<a class="skip" href="#main">Skip to the content</a>
        <header class="top">
            <a class="brand" href="${root}">whorl</a>
            <nav aria-label="Pages">
                ${PAGES.map(
                    ([id, path, title]) =>
                        `<a href="${root}${path}"${id === name ? ' aria-current="page"' : ''}>${title}</a>`,
                ).join('\n                ')}
            </nav>
        </header>`;

const foot = (root) => `<footer class="foot">
            <p>
                Nothing leaves this machine: no page asks another server by itself, and there is no account.
                <a href="${root}privacy/">Privacy</a> · <a href="${root}licences.txt">Licences</a>
                <span id="offline"></span>
            </p>
        </footer>
        <script type="module" src="${root}src/offline.ts"></script>`;

/** The plug-in of Vite. While one develops, Vite puts styles into the page, which the policy forbids: it is left out. */
export const frame = {
    name: 'frame',
    transformIndexHtml: {
        order: 'pre',
        handler(html, { path, server }) {
            const root = '../'.repeat(path.split('/').length - 2) || './';
            return html
                .replace('<!-- head -->', head(root, Boolean(server)))
                .replace(/<!-- top (\w+) -->/, (_, name) => top(root, name))
                .replace('<!-- foot -->', foot(root));
        },
    },
};
