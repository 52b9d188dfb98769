import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/reporter.ts';

/** What speaks of the store whatever its engine is: it runs over both, over PostgreSQL with what takes long. */
const STORE = [
  'reads/*',
  'writes/{bulk-updates,publications,reader-groups}',
  'import/*',
  'statements',
  'tables/*',
  'token-guard',
].map((name) => `test/store/${name}.test.ts`);

const STOPPING = 'test/cli/shutdown.test.ts';

/** What needs a PostgreSQL, whatever else it needs. */
const POSTGRES_ALONE = ['test/**/*postgres*.test.ts', 'test/store/database/postgres/*.test.ts'];

/** Files that take long (CONTRIBUTING.md says from when on): `npm test` leaves them out, `npm run test:all` does not. */
const LONG = '{console/,integrations/,}test/**/*.long.test.ts';

/** The tests of what `npm ci --prefix integrations` installs; without that, the end of the run says that they are missing. */
const INTEGRATIONS = existsSync('integrations/node_modules') ? [] : ['integrations/**'];

/** What runs the package as users install it: it is packed once for all of them, since packing builds it anew. */
const PACKAGE = 'test/{bundle,package,unprivileged}.long.test.ts';

const globalSetup = 'test/support/postgres-setup.ts';

const CONSOLE = { globalSetup: 'test/support/console-setup.ts' };

const project = (name: string, test: object) => ({ extends: true as const, test: { name, ...test } });

export default defineConfig({
  // graphql's own two builds must not meet in one process: both `import` and `require` resolve to this one.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    tags: [{ name: 'long', description: 'A test that takes long: `npm run test:all` runs it, `npm test` does not.' }],
    reporters: ['default', new CountReporter()],
    // The files of a worker share its modules, none of which holds state. Each of them anew would cost a second a file.
    isolate: false,
    // Half as many again as cores, since a third of the time of the tests is waiting.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // These only end what would wait forever: on a busy machine a test may take a hundred times as long.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    projects: [
      project('all', {
        include: ['{console/,integrations/,}test/**/*.test.ts'],
        exclude: [LONG, ...POSTGRES_ALONE, ...INTEGRATIONS],
        ...CONSOLE,
      }),
      project('postgres', { include: POSTGRES_ALONE, exclude: [LONG], globalSetup }),
      project('long', { include: [LONG], exclude: [PACKAGE, ...POSTGRES_ALONE, ...INTEGRATIONS], ...CONSOLE }),
      project('long-package', { include: [PACKAGE], globalSetup: 'test/support/package-setup.ts' }),
      project('long-postgres', { include: [...STORE, STOPPING, 'test/**/*postgres*.long.test.ts'], globalSetup }),
    ],
  },
});
