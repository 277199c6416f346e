// A visitor of the built site, in Chromium on the software adapter; what every page is looked at for.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

const AXE = readFileSync('web/node_modules/axe-core/axe.min.js', 'utf8');
const base = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export const launch = (args = ['--enable-unsafe-webgpu']) =>
    chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: [...base, ...args] });

/**
 * A Chromium that can draw on a canvas by WebGPU although its GPU is a program. Without them such a canvas ends the GPU's
 * process: pages are put together by another device than the one that draws.
 */
export const DRAWING = [
    '--enable-unsafe-webgpu',
    '--enable-features=Vulkan',
    '--use-vulkan=swiftshader',
    '--use-angle=swiftshader',
];

/**
 * A page with what it asked for and what went wrong in it; `script` runs before the page's own; `more`: of the context;
 * `args`: of the browser.
 */
export async function visit(script, more = {}, args = undefined) {
    const { url, server } = await serve('build');
    const browser = await launch(args);
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...more });
    const page = await context.newPage();
    const requests = [];
    const errors = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => errors.push(error.message));
    page.on(
        'console',
        (m) => m.type() === 'error' && /Content Security Policy/.test(m.text()) && errors.push(m.text()),
    );
    if (script) await page.addInitScript(script);
    return {
        url: `${url}/site/`,
        browser,
        page,
        requests,
        errors,
        text: (selector) => page.locator(selector).innerText(),
        async settled(selector, pattern, timeout = 90_000) {
            await page
                .waitForFunction(
                    ([s, p]) => {
                        const place = document.querySelector(s);
                        return place?.dataset.state !== 'old' && new RegExp(p).test(place?.textContent ?? '');
                    },
                    [selector, pattern],
                    { timeout },
                )
                .catch(async (error) => {
                    const there = await page.locator(selector).innerText();
                    throw new Error(
                        `${selector} says '${there}' after ${timeout / 1000} s, not ${pattern}: ${error.message}`,
                    );
                });
        },
        async close() {
            await browser.close();
            server.close();
        },
    };
}

/** Everything that axe, the checker of accessibility, finds; '' where it finds nothing. */
export async function axe(page) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => window.axe.run());
    const found = violations.map((v) => `${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`);
    return found.join(' | ').replaceAll('\n', ' ');
}

/** In three widths, dark and light: axe, and nothing wider than the page. `folder`: for pictures to look at. */
export async function look(page, name, folder) {
    const wrong = [];
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        for (const width of [320, 768, 1440]) {
            await page.setViewportSize({ width, height: 900 });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            if (wide > 0) wrong.push(`at ${width} px the page is ${wide} px too wide`);
            const path = `${folder}/${name}-${width}-${colorScheme}.png`;
            if (folder) await page.screenshot({ path, fullPage: true });
        }
        const found = await axe(page);
        if (found) wrong.push(`${colorScheme}: ${found}`);
    }
    return wrong.join('; ');
}

/** Bytes of what was asked for, gzipped as servers do. */
export async function weight(page, requests) {
    const urls = [...new Set(requests)].filter((url) => url.startsWith('http'));
    let bytes = 0;
    for (const url of urls) bytes += gzipSync(await (await page.request.get(url)).body(), { level: 9 }).length;
    return bytes;
}
