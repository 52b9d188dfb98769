import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuration } from '../layers.ts';

/** Files of the folder import these: files of src, packages and modules of Node. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ['src/v2', 'zod'],
  ['src/v2', 'src/domain/articles/articles.ts'],
  ['src/backend/rest', 'node:timers/promises'],
  ['src/backend/rest', 'src/v2/envelope.ts'],
  ['src/backend/local', 'kysely'],
  ['src/backend/local', 'src/backend/backend.ts'],
  ['src/schema', '@pothos/core'],
  ['src/facade', 'src/v2/envelope.ts'],
  ['src/execution', 'src/schema/context.ts'],
  ['src/http', 'graphql-yoga'],
  ['src/http', 'src/execution/execution.ts'],
  ['src/execution/executor', 'graphql'],
  ['src/cli', 'src/backend/open-backend.ts'],
  ['src/database/sqlite', 'node:sqlite'],
  ['src/database/postgres', 'pg'],
  ['src/telemetry', '@opentelemetry/sdk-metrics'],
];

const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['src/domain', 'zod'],
  ['src/domain', 'node:http'],
  ['src/domain', 'src/v2/articles.ts'],
  ['src/v2', 'got'],
  ['src/v2', 'src/backend/backend.ts'],
  ['src/backend/rest', 'vitest'],
  ['src/backend/rest/calls', 'src/backend/rest/reads/paging.ts'],
  ['src/backend/rest/read-cache', 'src/backend/rest/reads/paging.ts'],
  ['src/backend/rest/reads', 'src/backend/rest/writes/chunk-results.ts'],
  ['src/backend/rest', 'src/backend/local/reads/articles.ts'],
  ['src/backend/rest', 'src/schema/articles/articles.ts'],
  ['src/backend/local', 'src/backend/rest/calls/service-client.ts'],
  ['src/backend/local', 'src/v2/articles.ts'],
  ['src/backend/writes', 'src/backend/rest/calls/service-client.ts'],
  ['src/backend/writes', 'src/cli/audit-log.ts'],
  ['src/auth', 'src/schema/context.ts'],
  ['src/database', 'src/backend/local/tables/tables.ts'],
  ['src/knowledge-base', 'kysely'],
  ['src/execution/executor', 'src/domain/errors.ts'],
  ['src/execution/executor', 'node:timers/promises'],
  ['src/schema', 'graphql-yoga'],
  ['src/schema', 'src/facade/routes.ts'],
  ['src/schema/articles', 'src/schema/reader-groups/reader-groups.ts'],
  ['src/schema/reader-groups', 'src/schema/node-queries.ts'],
  ['src/facade', 'kysely'],
  ['src/facade', 'src/schema/articles/articles.ts'],
  ['src/http', 'src/schema/schema.ts'],
  ['src/http/responses', 'src/http/requests/guards.ts'],
  ['src/http/requests', 'src/http/graphql/yoga-server.ts'],
  ['src/jobs', 'src/domain/callers/token-verdicts.ts'],
  ['src/backend/rest/writes', 'src/domain/callers/token-verdicts.ts'],
  ['src/http', 'src/facade/routes.ts'],
  ['src/http', 'src/backend/backend.ts'],
  ['src/config', 'node:fs'],
  ['src/config', 'src/config.ts'],
  ['src/cli', 'src/backend/local/local-backend.ts'],
  ['src/cli', 'src/v2/envelope.ts'],
  ['src/http', '@opentelemetry/sdk-metrics'],
  ['src/telemetry', 'src/http/route.ts'],
];

const copy = mkdtempSync(join(tmpdir(), 'kb-gateway-layers-'));
const importersFound = new Set<string>();

const probeOf = ([folder, imported]: readonly [string, string]): string =>
  `${folder}/imports-${imported.replaceAll(/[^a-z0-9]/gu, '-')}.ts`;

// A copy of src gets one file for each import above; all are checked in one run.
beforeAll(async () => {
  cpSync('src', join(copy, 'src'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const pair of [...ALLOWED, ...FORBIDDEN]) {
    const [, imported] = pair;
    const specifier = imported.startsWith('src/') ? relative(dirname(probeOf(pair)), imported) : imported;
    const path = imported.startsWith('src/') && !specifier.startsWith('.') ? `./${specifier}` : specifier;
    writeFileSync(join(copy, probeOf(pair)), `import '${path}';\n`);
  }
  const { options, ...ruleSet } = configuration;
  const { output } = await cruise(['src'], {
    ...options,
    ruleSet,
    validate: true,
    baseDir: copy,
    preserveSymlinks: true,
  });
  for (const { from } of (output as ICruiseResult).summary.violations) importersFound.add(from);
});

afterAll(() => rmSync(copy, { recursive: true }));

describe('the layers', () => {
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

  it('may import each other in one direction', () => {
    expect(check()).toMatchObject({ status: 0, stderr: '' });
  });

  it('are told when they do in both, in different files and without a circle', () => {
    write('src/hall/send/body.ts', "import '../../door/deep/route.ts';\n");
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain('src/door and src/hall import each other: src/door/guards.ts → src/hall/errors.ts, and');
  });
});
