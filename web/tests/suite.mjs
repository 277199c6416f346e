// Tests that print `ok NAME` or `FAIL NAME: why`, one a line.
// `slow` ones are left out where it is quick.
export function suite(prefix, isQuick = false) {
    let failed = 0;
    const tests = {
        async slow(name, body) {
            if (!isQuick) await tests.test(name, body);
        },
        async test(name, body) {
            try {
                await body();
                console.log(`ok ${prefix}.${name}`);
            } catch (error) {
                failed++;
                console.log(`FAIL ${prefix}.${name}: ${String(error.message).split('\n')[0]}`);
                if (process.env.VERBOSE) console.error(error.stack);
            }
        },
        check(condition, why) {
            if (!condition) throw new Error(why);
        },
        end() {
            process.exit(failed > 0 ? 1 : 0);
        },
    };
    return tests;
}
