import { defineConfig } from 'vitest/config';

// workers and the commands that tests start compile the same modules again and again
process.env['NODE_COMPILE_CACHE'] ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

export default defineConfig({
  test: {
    include: ['{contract,calculators,pipeline,serve,visual,fixtures}/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'fixtures/judges/**', 'fixtures/browser/**'],
    globalSetup: ['fixtures/suites/sharedDirectory.ts'],
    pool: 'forks',
    // by default one core is left idle: on two cores that is half the machine
    maxWorkers: '100%',
    // for the test that hangs; a busy machine is not a failure
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
