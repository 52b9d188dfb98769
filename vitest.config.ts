import { defineConfig } from 'vitest/config';

export default defineConfig({
  // graphql's own two builds must not meet in one process: both `import` and `require` resolve to this one.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: { include: ['test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
});
