import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { MAX_CREATED_ARTICLES } from '../../../src/core/base/limits.ts';
import { STORE_ACCOUNT } from '../../../src/store/knowledge-base/format.ts';
import { startGateway } from '../../support/gateway.ts';
import { emptyDatabase, openStore } from '../store.ts';

const CREATE = `mutation ($input: CreateArticlesInput!) {
  createArticles(input: $input) { ... on CreateArticlesPayload { summary { created } } }
}`;
const UPDATE = `mutation ($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) { ... on BulkUpdateArticlesPayload { summary { updated } } }
}`;

/** A store in a file, since that is where a commit takes its time. */
async function fileOrServer(): Promise<string> {
  if (inject('postgresUrl') !== undefined) return emptyDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'creations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return `sqlite:${join(folder, 'store.db')}`;
}

/** Ten characters a word, of 20,011 words. */
const textOf = (words: number, first: number) =>
  Array.from({ length: words }, (_, n) => ((first + n * n) % 20_011).toString(36).padEnd(9, 'w')).join(' ');

const bodyOf = (name: string, words: number) => ({
  userId: STORE_ACCOUNT.user_id,
  articles: Array.from({ length: MAX_CREATED_ARTICLES }, (_, n) => ({
    title: `${name} ${n}`,
    projectVersionId: 'pv1',
    content: textOf(words, n * 31),
  })),
});

interface Creates {
  /** The words of each text. */
  readonly words: number;
  /** The creates of each caller, one after another. */
  readonly rounds: number;
}

/** Holds that a short write waits for two parts of creates at most, and the event loop is free, while three callers create. */
export async function holdShortWaits({ words, rounds }: Creates): Promise<void> {
  const { backend } = await openStore({ databaseUrl: await fileOrServer() });
  const { send, url, close } = await startGateway({
    backend,
    local: true,
    token: 'token',
    requestTimeoutMs: 300_000,
  });
  onTestFinished(close);
  const timed = async (work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const create = async (name: string) => {
    const { body } = await send(CREATE, { input: bodyOf(name, words) });
    expect(body).toEqual({ data: { createArticles: { summary: { created: MAX_CREATED_ARTICLES } } } });
  };
  const update = async (title: string) => {
    const { body } = await send(UPDATE, { input: { articles: [{ articleId: 'a1', title }] } });
    expect(body).toEqual({ data: { bulkUpdateArticles: { summary: { updated: 1 } } } });
  };
  await create('first');
  const alone = await timed(() => create('alone'));
  let isOver = false;
  const creates = Promise.all(
    ['a', 'b', 'c'].map(async (caller) => {
      for (let n = 0; n < rounds; n += 1) await create(`${caller}${n}`);
    }),
  ).finally(() => {
    isOver = true;
  });
  const waits: number[] = [];
  const lives: number[] = [];
  while (!isOver) {
    waits.push(await timed(() => update(`Title ${waits.length}`)));
    lives.push(await timed(async () => (await fetch(`${url}/health/live`)).text()));
  }
  await creates;
  const median = (list: readonly number[]) => list.toSorted((one, other) => one - other)[list.length >> 1] ?? 0;
  // These compare times of the same machine, so that a busy one changes both.
  expect(median(waits), `The waits ${waits} beside ${alone}`).toBeLessThan(alone / 2);
  expect(Math.max(...waits), `The waits ${waits} beside ${alone}`).toBeLessThan(alone);
  expect(median(lives), `The liveness ${lives} beside ${alone}`).toBeLessThan(alone / 4);
}
