import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuration } from '../layers.ts';

/** Files of the folder import these: files of src, packages and modules of Node. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ['src/service/v2', 'zod'],
  ['src/service/v2', 'src/core/articles/articles.ts'],
  ['src/service', 'node:timers/promises'],
  ['src/service', 'src/service/v2/envelope.ts'],
  ['src/store', 'kysely'],
  ['src/store', 'src/core/backend.ts'],
  ['src/graphql/schema', '@pothos/core'],
  ['src/store/facade', 'src/service/v2/envelope.ts'],
  ['src/graphql/execution', 'src/graphql/schema/context.ts'],
  ['src/server/http', 'graphql-yoga'],
  ['src/server/http', 'src/graphql/execution/execution.ts'],
  ['src/graphql/execution/executor', 'graphql'],
  ['src/cli', 'src/server/open-backend.ts'],
  ['src/store/database/sqlite', 'node:sqlite'],
  ['src/store/database/postgres', 'pg'],
  ['src/server/telemetry', '@opentelemetry/sdk-metrics'],
];

const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['src/core', 'zod'],
  ['src/core', 'node:http'],
  ['src/core', 'src/service/v2/articles.ts'],
  ['src/service/v2', 'got'],
  ['src/service/v2', 'src/core/backend.ts'],
  ['src/service', 'vitest'],
  ['src/service/calls', 'src/service/reads/paging.ts'],
  ['src/service/read-cache', 'src/service/reads/paging.ts'],
  ['src/service/reads', 'src/service/writes/chunk-results.ts'],
  ['src/service', 'src/store/reads/articles.ts'],
  ['src/service', 'src/graphql/schema/articles/articles.ts'],
  ['src/store', 'src/service/calls/service-client.ts'],
  ['src/store', 'src/service/v2/articles.ts'],
  ['src/core/writes', 'src/service/calls/service-client.ts'],
  ['src/core/writes', 'src/server/process/audit-log.ts'],
  ['src/server/auth', 'src/graphql/schema/context.ts'],
  ['src/store/database', 'src/store/tables/tables.ts'],
  ['src/store/knowledge-base', 'kysely'],
  ['src/graphql/execution/executor', 'src/core/errors.ts'],
  ['src/graphql/execution/executor', 'node:timers/promises'],
  ['src/graphql/schema', 'graphql-yoga'],
  ['src/graphql/schema', 'src/store/facade/routes.ts'],
  ['src/graphql/schema/articles', 'src/graphql/schema/reader-groups/reader-groups.ts'],
  ['src/graphql/schema/reader-groups', 'src/graphql/schema/node-queries.ts'],
  ['src/store/facade', 'kysely'],
  ['src/store/facade', 'src/graphql/schema/articles/articles.ts'],
  ['src/server/http', 'src/graphql/schema/schema.ts'],
  ['src/server/http/responses', 'src/server/http/requests/guards.ts'],
  ['src/server/http/requests', 'src/server/http/graphql/yoga-server.ts'],
  ['src/jobs', 'src/core/callers/token-verdicts.ts'],
  ['src/service/writes', 'src/core/callers/token-verdicts.ts'],
  ['src/server/http', 'src/store/facade/routes.ts'],
  ['src/server/http', 'src/core/backend.ts'],
  ['src/server/config', 'node:fs'],
  ['src/server/config', 'src/server/config.ts'],
  ['src/cli', 'src/store/local-backend.ts'],
  ['src/cli', 'src/service/v2/envelope.ts'],
  ['src/server/http', '@opentelemetry/sdk-metrics'],
  ['src/server/telemetry', 'src/server/http/route.ts'],
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
