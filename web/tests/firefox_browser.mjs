// Firefox on the software adapter. Where there is none, says so and ends the process.
import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { driver } from './dawn.mjs';

const executablePath = '/usr/bin/firefox-esr';

/** For the tests called `name`. */
export async function launchFirefox(name) {
    if (!existsSync(executablePath)) {
        console.log(`skip ${name}: no firefox-esr here (Debian: apt-get install firefox-esr)`);
        process.exit(0);
    }
    return puppeteer.launch({
        browser: 'firefox',
        executablePath,
        headless: true,
        env: { ...process.env, ...driver() },
        extraPrefsFirefox: {
            'dom.webgpu.enabled': true,
            'dom.webgpu.workers.enabled': true,
            'gfx.webgpu.ignore-blocklist': true,
        },
    });
}
