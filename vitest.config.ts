import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/reporter.ts';

/** What speaks of the store whatever its engine is: it runs over both. */
const STORE = [
  'reads/*',
  'writes/{bulk-updates,reader-group-updates}',
  'import/**/*',
  'export/*',
  'statements',
  'token-guard',
].map((name) => `test/backend/local/${name}.test.ts`);

const STOPPING = 'test/cli/shutdown.test.ts';

const POSTGRES_ALONE = ['test/**/*postgres*.test.ts', 'test/database/postgres/*.test.ts'];

export default defineConfig({
  // graphql's own two builds must not meet in one process: both `import` and `require` resolve to this one.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    reporters: ['default', new CountReporter()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'], exclude: POSTGRES_ALONE } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...STORE, STOPPING, ...POSTGRES_ALONE],
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
    ],
  },
});
