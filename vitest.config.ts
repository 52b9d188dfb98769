import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/reporter.ts';

export default defineConfig({
  // graphql's own two builds must not meet in one process: both `import` and `require` resolve to this one.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', new CountReporter()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
