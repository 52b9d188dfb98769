import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuration } from '../layers.ts';

/** Files of the folder may import these: files of src, packages and modules of Node. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ['src/core/writes', 'src/core/base/pages.ts'],
  ['src/service/v2', 'zod'],
  ['src/service/v2', 'src/core/articles/articles.ts'],
  ['src/service', 'got'],
  ['src/service', 'node:timers/promises'],
  ['src/store', 'kysely'],
  ['src/store/facade', 'src/service/v2/envelope.ts'],
  ['src/jobs', 'src/store/database/dialect.ts'],
  ['src/graphql/schema', '@pothos/core'],
  ['src/graphql/schema', 'src/jobs/article-update-jobs.ts'],
  ['src/mcp', 'src/graphql/execution/execution.ts'],
  ['src/server/http', 'graphql-yoga'],
  ['src/server/telemetry', '@opentelemetry/sdk-metrics'],
  ['src/core', '@opentelemetry/api'],
  ['src/cli', 'src/server/open-backend.ts'],
  ['test/store', 'src/store/reads/articles.ts'],
  ['test/docs', 'src/store/local-backend.ts'],
  ['bench', 'src/index.ts'],
  ['console/src', 'src/core/sheets/spreadsheet-cells.ts'],
  ['console/test', 'src/server/console-files.ts'],
];

const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['src/core', 'got'],
  ['src/core', 'node:http'],
  ['src/core', 'src/service/v2/articles.ts'],
  ['src/core/writes', 'src/server/process/audit-log.ts'],
  ['src/service', 'vitest'],
  ['src/service', 'kysely'],
  ['src/service', 'src/store/local-backend.ts'],
  ['src/service', 'src/graphql/schema/schema.ts'],
  ['src/store', 'src/service/calls/call-budget.ts'],
  ['src/store', 'src/jobs/state/ledger.ts'],
  ['src/jobs', 'src/store/reads/articles.ts'],
  ['src/jobs', 'src/service/rest-backend.ts'],
  ['src/graphql', 'graphql-yoga'],
  ['src/graphql', 'src/store/local-backend.ts'],
  ['src/graphql', 'src/jobs/runner/runner.ts'],
  ['src/mcp', 'src/graphql/schema/builder.ts'],
  ['src/server', 'src/cli/commands.ts'],
  ['src/server', '@pothos/core'],
  ['src/server/gateway', 'src/store/reads/articles.ts'],
  ['src/cli', 'src/server/http/door.ts'],
  ['test/graphql', 'src/store/reads/articles.ts'],
  ['test/docs', 'src/service/calls/call-budget.ts'],
  ['bench', 'src/service/calls/call-budget.ts'],
  ['console/src', 'src/server/config.ts'],
  ['console/src', 'bench/targets.ts'],
  ['src/server', 'test/support/gateway.ts'],
];

const copy = mkdtempSync(join(tmpdir(), 'kb-gateway-layers-'));
const importersFound = new Set<string>();

const probeOf = ([folder, imported]: readonly [string, string]): string =>
  `${folder}/imports-${imported.replaceAll(/[^a-z0-9]/gu, '-')}.ts`;

const FOLDERS = ['src', 'bench', 'console/src', 'console/test', 'test'];
const isOfRepository = (imported: string) => /^(?:src|bench|test)\//u.test(imported);

// A copy of the folders gets one file for each import above; all are checked in one run.
beforeAll(async () => {
  for (const folder of FOLDERS) cpSync(folder, join(copy, folder), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const pair of [...ALLOWED, ...FORBIDDEN]) {
    const [, imported] = pair;
    const specifier = isOfRepository(imported) ? relative(dirname(probeOf(pair)), imported) : imported;
    const path = isOfRepository(imported) && !specifier.startsWith('.') ? `./${specifier}` : specifier;
    writeFileSync(join(copy, probeOf(pair)), `import '${path}';\n`);
  }
  const { options, ...ruleSet } = configuration;
  const probes = [...ALLOWED, ...FORBIDDEN].map(probeOf);
  const { output } = await cruise(probes, {
    ...options,
    maxDepth: 1,
    ruleSet,
    validate: true,
    baseDir: copy,
    preserveSymlinks: true,
  });
  for (const { from } of (output as ICruiseResult).summary.violations) importersFound.add(from);
});

afterAll(() => rmSync(copy, { recursive: true }));

describe('the rooms', () => {
  it.each(ALLOWED)('let %s import %s', (...pair) => {
    expect(importersFound).not.toContain(probeOf(pair));
  });

  it.each(FORBIDDEN)('keep %s from importing %s', (...pair) => {
    expect(importersFound).toContain(probeOf(pair));
  });
});

describe('two sibling folders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-siblings-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const check = () => spawnSync(process.execPath, [resolve('scripts/layers.ts')], { cwd: folder, encoding: 'utf8' });

  beforeAll(() => {
    write('src/door/guards.ts', "import '../hall/errors.ts';\n");
    write('src/door/deep/route.ts', 'export {};\n');
    write('src/hall/errors.ts', 'export {};\n');
    write('src/hall/send/body.ts', "import '../errors.ts';\n");
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('may import each other in one direction', { tags: 'long' }, () => {
    expect(check()).toMatchObject({ status: 0, stderr: '' });
  });

  it('are told when they do in both, in different files and without a circle', { tags: 'long' }, () => {
    write('src/hall/send/body.ts', "import '../../door/deep/route.ts';\n");
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('src/door and src/hall import each other: src/door/guards.ts → src/hall/errors.ts, and');
  });
});
