import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStoreDatabase } from '../../src/store/tables/store-database.ts';
import { type PostgresServer, startPostgres } from '../support/embedded-postgres.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/postgres-database.ts';

const UPDATE = /* GraphQL */ `
  mutation Update($articleId: ID!, $title: String!) {
    bulkUpdateArticles(input: { articles: [{ articleId: $articleId, title: $title }] }) {
      __typename
      ... on BulkUpdateArticlesPayload {
        results {
          __typename
        }
      }
    }
  }
`;

/** Records every title that was ever committed, also overwritten ones. */
const HISTORY = `
  create table history (title text not null);
  create function keep() returns trigger language plpgsql as
    'begin insert into public.history values (new.title); return new; end';
  create trigger keep before update on article_versions for each row execute function keep();
`;

/** The outcomes of writes by their titles. */
type Outcomes = Map<string, string>;

/** Updates one article repeatedly until `stop` is aborted. */
async function keepWriting(
  gateway: Gateway,
  articleId: string,
  { outcomes, stop }: { outcomes: Outcomes; stop: AbortSignal },
) {
  for (let round = 1; !stop.aborted; round += 1) {
    const title = `${articleId} ${round}`;
    const { body } = await gateway.send(UPDATE, { articleId, title });
    const names = JSON.stringify(body).match(/(?<="__typename":")\w+/gu) ?? [JSON.stringify(body)];
    const outcome = names.at(-1) ?? '';
    outcomes.set(title, outcome);
    if (outcome === 'ServiceUnavailableError') await setTimeout(10);
  }
}

const titlesOf = (outcomes: Outcomes, outcome: string): readonly string[] =>
  [...outcomes].flatMap(([title, found]) => (found === outcome ? [title] : []));

const ARTICLES = ['a1', 'a2', 'a3', 'a4', 'a5', 'w1'];

describe('a gateway whose PostgreSQL is killed and restarted', () => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  let gateway: Gateway;

  beforeAll(async () => {
    server = await startPostgres();
    database = await createPostgresDatabase(server.url);
    const backend = await openFixtureStore(database.url);
    await database.run(HISTORY);
    gateway = await startGateway({ backend, local: true, token: TOKEN });
  });

  afterAll(async () => {
    await gateway.close();
    await server.stop();
  });

  const readiness = async () => (await fetch(`${gateway.url}/health/ready`)).status;

  /** Waits until `count` more writes have the outcome. */
  const more = async (outcomes: Outcomes, outcome: string, count: number) => {
    const before = titlesOf(outcomes, outcome).length;
    await expect.poll(() => titlesOf(outcomes, outcome).length - before).toBeGreaterThan(count);
  };

  it('recovers by itself, keeps acknowledged writes, and has none of those that it reported as not written', async () => {
    const outcomes: Outcomes = new Map();
    const stopping = new AbortController();
    const { signal: stop } = stopping;
    const writers = ARTICLES.map((articleId) => keepWriting(gateway, articleId, { outcomes, stop }));
    for (const first of [true, false, false]) {
      await more(outcomes, 'ArticleUpdated', 50);
      await server.kill();
      await more(outcomes, 'ServiceUnavailableError', 10);
      if (first) expect(await readiness()).toBe(503);
      await server.restart();
      await more(outcomes, 'ArticleUpdated', 50);
    }
    stopping.abort();
    await Promise.all(writers);

    const kinds = new Set(outcomes.values());
    expect(kinds.difference(new Set(['ArticleUpdated', 'ServiceUnavailableError', 'ArticleUpdateUnknown']))).toEqual(
      new Set(),
    );
    const opened = await openStoreDatabase(database.url);
    const { rows } = await sql<{ title: string }>`select title from history`.execute(opened.db);
    await opened.close();
    const kept = rows.map(({ title }) => title);
    expect(new Set(kept).size).toBe(kept.length);
    expect(titlesOf(outcomes, 'ArticleUpdated').filter((title) => !kept.includes(title))).toEqual([]);
    expect(titlesOf(outcomes, 'ServiceUnavailableError').filter((title) => kept.includes(title))).toEqual([]);
    await expect.poll(readiness, { interval: 200 }).toBe(200);
  });
});
