import { defineConfig } from 'vitest/config';
import { limitMs } from './fixtures/checks/machinePace.ts';
import { RunReporter } from './fixtures/checks/runReporter.ts';

// workers and the commands that tests start compile the same modules again and again
process.env['NODE_COMPILE_CACHE'] ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

const excluded = [
  '**/node_modules/**',
  'fixtures/judges/**',
  'fixtures/browser/**',
  'fixtures/acceptance/**',
];
// rooms whose modules keep no state: their files share a process, and with it what it has loaded; loading the server
// again takes longer than most files of it
const stateless = [
  '{calculators,data,serve}/**/*.test.ts',
  'pipeline/{compute,fetch,release,zip}/**/*.test.ts',
];

export default defineConfig({
  test: {
    exclude: excluded,
    globalSetup: ['fixtures/suites/sharedDirectory.ts'],
    pool: 'forks',
    // by default one core is left idle: on two cores that is half the machine
    maxWorkers: '100%',
    reporters: ['default', new RunReporter()],
    // for the test that hangs; a busy machine is not a failure
    testTimeout: limitMs(120_000),
    hookTimeout: limitMs(240_000),
    expect: { poll: { timeout: limitMs(10_000) } },
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: stateless, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['{pipeline,fixtures}/**/*.test.ts'],
          exclude: [...excluded, ...stateless],
        },
      },
    ],
  },
});
