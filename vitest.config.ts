import { availableParallelism } from 'node:os';
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
// most files. Not these: they replace modules, need much memory, or take longest: projects are begun in the order of
// their names
const alone = [
  'fixtures/{archive,checks,fuzz,simulation}/**/*.test.ts',
  'fixtures/suites/brokenBrief.test.ts',
  'pipeline/nightly/nightlyKilled.test.ts',
  'pipeline/stores/twoPublishers.test.ts',
  'serve/store/replicaKills.test.ts',
];

export default defineConfig({
  test: {
    exclude: excluded,
    globalSetup: ['fixtures/suites/sharedDirectory.ts'],
    pool: 'forks',
    // one more than cores: some file always waits, for a server, a child, or what another file makes once for all
    maxWorkers: availableParallelism() + 1,
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
