// Tests that print `ok NAME` or `FAIL NAME: why`, one a line.
export function suite(prefix) {
    let failed = 0;
    return {
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
}
