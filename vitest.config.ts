import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,calculators,pipeline,serve,visual,fixtures}/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'fixtures/judges/**', 'fixtures/browser/**'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
