import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Room {
  readonly file: string;
  readonly mayImport: readonly string[];
  readonly mayNotImport: readonly string[];
}

const rooms: readonly Room[] = [
  {
    file: 'src/domain/x.ts',
    mayImport: ['./articles.ts'],
    mayNotImport: ['zod', 'node:http', '../v2/articles.ts', '../backend/backend.ts'],
  },
  { file: 'src/v2/x.ts', mayImport: ['zod', '../domain/articles.ts'], mayNotImport: ['got', '../backend/backend.ts'] },
  { file: 'src/backend/backend.ts', mayImport: ['../domain/articles.ts'], mayNotImport: ['../v2/articles.ts'] },
  {
    file: 'src/backend/rest/x.ts',
    mayImport: ['got', 'node:timers/promises', '../backend.ts', '../../v2/articles.ts'],
    mayNotImport: ['undici', '../local/articles.ts', '../../schema/articles.ts'],
  },
  {
    file: 'src/backend/local/x.ts',
    mayImport: ['kysely', 'kysely/migration', '../backend.ts'],
    mayNotImport: ['node:sqlite', 'pg', '../rest/client.ts', '../../v2/articles.ts'],
  },
  {
    file: 'src/backend/coalescing/x.ts',
    mayImport: ['../backend.ts'],
    mayNotImport: ['../rest/client.ts', '../../v2/articles.ts'],
  },
  {
    file: 'src/backend/auditing/x.ts',
    mayImport: ['node:crypto', '../backend.ts', '../passed-through.ts', '../../domain/caller.ts'],
    mayNotImport: ['../rest/client.ts', '../../cli/audit-file.ts', 'node:http'],
  },
  {
    file: 'src/auth/x.ts',
    mayImport: ['jose', 'node:crypto'],
    mayNotImport: ['got', '../schema/context.ts', 'node:http'],
  },
  { file: 'src/database/sqlite/driver.ts', mayImport: ['kysely', 'node:sqlite'], mayNotImport: ['pg'] },
  { file: 'src/database/postgres/driver.ts', mayImport: ['kysely', 'pg'], mayNotImport: ['node:sqlite'] },
  {
    file: 'src/schema/x.ts',
    mayImport: ['@pothos/core', '../backend/backend.ts'],
    mayNotImport: ['graphql-yoga', '../v2/envelope.ts', '../backend/rest/client.ts', '../facade/routes.ts'],
  },
  {
    file: 'src/facade/x.ts',
    mayImport: ['../v2/envelope.ts', '../backend/backend.ts'],
    mayNotImport: ['kysely', '../schema/articles.ts', '../backend/local/articles.ts'],
  },
  {
    file: 'src/http/x.ts',
    mayImport: ['graphql-yoga', 'node:http', '../domain/caller.ts'],
    mayNotImport: ['../schema/schema.ts', '../plugins/health.ts', '../backend/backend.ts'],
  },
  {
    file: 'src/plugins/x.ts',
    mayImport: ['graphql-yoga', '../http/refusal.ts', '../schema/query-cost.ts'],
    mayNotImport: ['got', '../facade/routes.ts', '../backend/local/local-backend.ts'],
  },
  {
    file: 'src/app.ts',
    mayImport: ['graphql-yoga', './http/plain-post.ts'],
    mayNotImport: ['./backend/local/local-backend.ts', 'got'],
  },
  { file: 'src/config.ts', mayImport: ['zod', './config/limits.ts'], mayNotImport: ['./app.ts'] },
  { file: 'src/config/x.ts', mayImport: ['zod', '../domain/limits.ts'], mayNotImport: ['../config.ts', 'node:fs'] },
  {
    file: 'src/cli/x.ts',
    mayImport: ['../backend/open-backend.ts'],
    mayNotImport: ['../backend/local/local-backend.ts', '../v2/envelope.ts'],
  },
];

const house = mkdtempSync(join(tmpdir(), 'kb-gateway-floors-'));
let complaints: string[] = [];

// Every room gets one file; biome reads them all under the project's own rules and names file and line of each finding.
beforeAll(() => {
  cpSync('biome.json', join(house, 'biome.json'));
  for (const { file, mayImport, mayNotImport } of rooms) {
    const lines = [...mayNotImport, ...mayImport].map(
      (name, index) => `export type { X as X${index} } from '${name}';`,
    );
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), `${lines.join('\n')}\n`);
  }
  const biome = resolve('node_modules/@biomejs/biome/bin/biome');
  const rules = [
    '--only=style/noRestrictedImports',
    '--vcs-enabled=false',
    '--reporter=github',
    '--max-diagnostics=none',
  ];
  const run = spawnSync(process.execPath, [biome, 'lint', ...rules, 'src'], { cwd: house, encoding: 'utf8' });
  complaints = run.stdout.split('\n');
});

afterAll(() => rmSync(house, { recursive: true }));

describe('the floors', () => {
  it.each(rooms)('hold in $file', ({ file, mayNotImport }) => {
    const lines = complaints
      .filter((line) => line.includes(`/${file},line=`))
      .map((line) => /,line=(\d+),/u.exec(line)?.[1])
      .sort();
    expect(lines).toEqual(mayNotImport.map((_, index) => String(index + 1)));
  });
});
