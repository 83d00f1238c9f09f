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
// modules keep no state, so test files share processes, and with them what those have loaded: loading takes longer than
// most files. Not these: they replace modules, or need much memory. Projects run in the order of their names, so the
// longest files are begun first
const alone = [
  'fixtures/{archive,checks,fuzz,simulation}/**/*.test.ts',
  'fixtures/suites/brokenBrief.test.ts',
  'pipeline/stores/twoPublishers.test.ts',
  'serve/store/replicaKills.test.ts',
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
        test: {
          name: 'shared',
          include: ['{calculators,data,fixtures,pipeline,serve}/**/*.test.ts'],
          exclude: [...excluded, ...alone],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
        },
      },
    ],
  },
});
