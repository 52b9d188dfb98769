import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  // graphql's own two builds must not meet in one process: both `import` and `require` resolve to this one.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: { include: ['test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
});
