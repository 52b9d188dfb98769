/**
 * Writes docs/reference from the schema, the settings, the limits, the error codes, the assumptions of check-service and the scopes that resolvers ask for. With `--check` nothing is written,
 * and a page that is stale, missing or left over fails.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { createSubgraph, printSchemaSdl } from '../src/graphql/schema/schema.ts';
import { checkServicePage } from './reference/check-service-page.ts';
import { errorsPage } from './reference/errors-page.ts';
import { limitsPage } from './reference/limits-page.ts';
import { schemaPages } from './reference/schema-pages.ts';
import { scopesPage } from './reference/scopes-page.ts';
import { settingsPage } from './reference/settings-page.ts';

const FOLDER = 'docs/reference';

const schema = buildSchema(printSchemaSdl());
const pages = new Map([
  ...schemaPages(schema),
  ['errors.md', errorsPage(schema)],
  ['check-service.md', checkServicePage()],
  ['settings.md', settingsPage(readFileSync('scripts/reference/settings.md', 'utf8'))],
  ['scopes.md', await scopesPage(createSubgraph())],
  ['limits.md', limitsPage(readFileSync('src/core/base/limits.ts', 'utf8'))],
]);
/** Pages that other tests compare with what they list: calls, a scrape, the source, a run of the clients. */
const OTHERS = ['calls.md', 'metrics.md', 'log.md', 'compatibility.md'];
const leftOver = globSync('*.md', { cwd: FOLDER }).filter((name) => !pages.has(name) && !OTHERS.includes(name));

for (const [name, text] of pages) {
  const path = join(FOLDER, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  report(path, () => writeFileSync(path, text));
}
for (const name of leftOver) report(join(FOLDER, name), () => rmSync(join(FOLDER, name)));

function report(path: string, repair: () => void): void {
  if (!process.argv.includes('--check')) {
    repair();
    return;
  }
  console.error(`${path} differs from the code: run npm run reference`);
  process.exitCode = 1;
}
