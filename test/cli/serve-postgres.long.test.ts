import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { ArticleTitleDocument, GroupTitlesDocument, RetitleDocument } from '../support/generated/operations.ts';
import { NEEDS_PGBOUNCER, startPgbouncer } from '../support/pgbouncer.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/postgres-database.ts';
import { ask, type RunningGateway, runGateway, startGatewayProcess } from '../support/process.ts';

const cwd = tmpdir();
const API_TOKEN = 'token-of-both';

describe('two gateways on one PostgreSQL', () => {
  let database: PostgresDatabase;
  let gateways: RunningGateway[] = [];
  const at = (index: number) => ({ url: gateways[index]?.url ?? '', token: API_TOKEN });

  beforeAll(async () => {
    database = await createPostgresDatabase(inject('postgresUrl') ?? '');
    const settings = { DATABASE_URL: database.url, DATABASE_POOL_SIZE: '2', API_TOKEN };
    gateways = await Promise.all([startGatewayProcess({ cwd, settings }), startGatewayProcess({ cwd, settings })]);
  });

  afterAll(async () => {
    const ended = await Promise.all(gateways.map((gateway) => gateway.stop('SIGTERM')));
    await database.drop();
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  });

  it('insert the demo once if they start together', async () => {
    const { readerGroups } = await ask(at(1), GroupTitlesDocument, {});
    expect(readerGroups?.nodes).toHaveLength(demoKnowledgeBase.reader_groups.length);
  });

  it('see the writes of each other', async () => {
    const articleId = demoKnowledgeBase.articles[0]?.id ?? '';
    const { bulkUpdateArticles } = await ask(at(0), RetitleDocument, {
      articles: [{ articleId, title: 'By the first' }],
    });
    expect(bulkUpdateArticles).toMatchObject({ summary: { updated: 1 } });
    expect((await ask(at(1), ArticleTitleDocument, { articleId })).article?.title).toBe('By the first');
  });

  it('name the database when they listen, and print no password', { tags: 'long' }, async () => {
    const { password, host, pathname, username } = new URL(database.url);
    const printed = `${gateways[0]?.printed()}`;
    expect(printed).toContain(`"over the embedded store in PostgreSQL, ${host}${pathname}"`);
    expect(printed).not.toContain(`${username}:`);
    const settings = { PORT: '0', DATABASE_URL: `${database.url}x`, API_TOKEN };
    const { code, stdout, stderr } = await runGateway(['serve'], { cwd, settings });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/The database that DATABASE_URL names cannot be used: database "kb_\w+x" does not exist\./u);
    expect(stderr).not.toContain(password === '' ? 'hush' : password);
    expect(stderr).not.toMatch(/^ +at /mu);
  });

  it.each([
    ['a database that is away', (url: URL) => (url.port = '1'), /ECONNREFUSED/u],
    [
      'a wrong password',
      (url: URL) => {
        url.username = 'nobody';
        url.password = 'p@ss:w%2Fhush';
      },
      /nobody/u,
    ],
    [
      'a schema that does not exist',
      (url: URL) => url.searchParams.set('options', '-csearch_path=nowhere'),
      /does not exist/u,
    ],
  ])(
    'do not start over %s, and say so in one line without a secret',
    { tags: 'long' },
    async (_name, change, reason) => {
      const url = new URL(database.url);
      change(url);
      const settings = { PORT: '0', DATABASE_URL: url.href, API_TOKEN };
      const { code, stdout, stderr } = await runGateway(['serve'], { cwd, settings });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^kb-gateway: [^\n]*DATABASE_URL[^\n]*\n$/u);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/hush|p@ss|p%40ss/u);
    },
  );

  it('do not start with a newer schema, and say so', { tags: 'long' }, async () => {
    await database.run(`insert into kysely_migration values ('9999-from-the-future', '2099-01-01T00:00:00.000Z')`);
    const settings = { PORT: '0', DATABASE_URL: database.url, API_TOKEN };
    const { code, stderr } = await runGateway(['serve'], { cwd, settings });
    expect(code).toBe(1);
    expect(stderr).toContain('written by a newer kb-gateway (schema 9999-from-the-future)');
    await database.run(`delete from kysely_migration where name = '9999-from-the-future'`);
  });
});

describe('PgBouncer as it comes', NEEDS_PGBOUNCER, () => {
  it.each(['session', 'transaction'] as const)('in mode %s', async (mode) => {
    const database = await createPostgresDatabase(inject('postgresUrl') ?? '');
    const pgbouncer = await startPgbouncer(database.url, mode);
    onTestFinished(async () => {
      await pgbouncer.stop();
      await database.drop();
    });
    const settings = { DATABASE_URL: pgbouncer.url, API_TOKEN };
    if (mode === 'transaction') {
      const { code, stderr } = await runGateway(['serve'], { cwd, settings });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^kb-gateway: DATABASE_URL names a pooler in transaction mode, [^\n]*\n$/u);
      return;
    }
    const gateway = await startGatewayProcess({ cwd, settings });
    const { readerGroups } = await ask({ url: gateway.url, token: API_TOKEN }, GroupTitlesDocument, {});
    expect(readerGroups?.nodes).toHaveLength(demoKnowledgeBase.reader_groups.length);
    expect((await gateway.stop('SIGTERM')).code).toBe(0);
  });
});
