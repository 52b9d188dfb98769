import { expect } from 'vitest';
import { MAX_ARTICLE_LAG_MS, MAX_LIST_LAG_MS } from '../../src/core/base/limits.ts';
import { silentLog } from '../../src/core/base/log.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import type { StoredText } from '../support/stand-in-service/knowledge.ts';
import type { Readings } from '../support/stand-in-service/readings.ts';
import { STAND_IN_TOKEN, StandInService } from '../support/stand-in-service/stand-in-service.ts';

/** Time passes so many times faster than in front of a real service: its lag, and how long the gateway expects one. */
const TIME_FACTOR = 5;

/** The longest that one call may take, as jobs expect it: an unknown outcome is read back after it. */
const CALL_TIMEOUT_MS = 10_000;

/**
 * A gateway in front of a stand-in. Its waits for reads take no time, since the time of the stand-in passes with calls; those
 * of its jobs are shorter.
 */
export async function openScene(readings: Readings) {
  const service = await StandInService.open({ readings, timeFactor: TIME_FACTOR });
  const rest = openRestBackend({
    baseUrl: service.url,
    timeoutMs: 30_000,
    bulkSize: 100,
    maxReadCalls: 1_000,
    versionPausesMs: Array.from({ length: 12 }, () => 0),
    lookPausesMs: Array.from({ length: 12 }, () => 0),
    // The time of the stand-in passes faster than that of the process.
    startedAt: Number.NEGATIVE_INFINITY,
    readLagsMs: { list: MAX_LIST_LAG_MS / TIME_FACTOR, article: MAX_ARTICLE_LAG_MS / TIME_FACTOR },
    log: silentLog,
  });
  const backend = withPipeline(rest, { merging: mergeWrites({ maxItems: 100 }) });
  const options = { requestTimeoutMs: 60_000, maxUpstreamCalls: 1_000 };
  const jobSettings = { callTimeoutMs: CALL_TIMEOUT_MS / TIME_FACTOR };
  const gateway = await startGateway({ ...options, jobSettings, backend, local: false, token: STAND_IN_TOKEN });
  return { service, gateway };
}

export interface Outcome {
  readonly __typename: string;
  readonly draftVersionNumber?: number | null;
  readonly reason?: string;
  readonly articleId?: string;
}

export interface Item {
  readonly articleId: string;
  readonly languageCode?: string;
  readonly [member: string]: unknown;
}

export async function ask(gateway: Gateway, query: string, variables: object = {}): Promise<Record<string, unknown>> {
  const { body } = await gateway.send(query, variables);
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined();
  return Object(body.data);
}

type Input = Readonly<Record<string, unknown>> & { readonly articles: readonly unknown[] };

/** The outcomes of the items. An error of the whole request is one for each. */
export async function outcomesOf(gateway: Gateway, query: string, input: Input): Promise<readonly Outcome[]> {
  const { result } = await ask(gateway, query, { input });
  const { results, mayHaveApplied } = Object(result);
  if (results !== undefined) return results;
  expect(mayHaveApplied, JSON.stringify(result)).toBeTypeOf('boolean');
  return input.articles.map(() => ({ __typename: mayHaveApplied ? 'ArticleUpdateUnknown' : 'ArticleUpdateFailed' }));
}

export const textOf = (service: StandInService, { articleId, languageCode = 'en' }: Item): StoredText | undefined =>
  service.knowledge.articles.get(articleId)?.texts.get(languageCode);

/** True where some version has had the title. No two items set the same. */
export const isApplied = (
  { history }: StandInService,
  { articleId, languageCode = 'en', title: wanted }: Item,
): boolean =>
  history.some(({ articles }) =>
    articles
      .get(articleId)
      ?.texts.get(languageCode)
      ?.versions.some(({ title }) => title === wanted),
  );

/** No outcome is untrue. An unknown one may be anything. */
export function expectTrue(service: StandInService, items: readonly Item[], outcomes: readonly Outcome[]): void {
  expect(outcomes).toHaveLength(items.length);
  for (const [index, item] of items.entries()) {
    const { __typename: type = '' } = outcomes[index] ?? {};
    const what = `${item.articleId} ${item['title']}: ${type}`;
    if (type === 'ArticleUpdated') expect(isApplied(service, item), what).toBe(true);
    else if (type !== 'ArticleUpdateUnknown') expect(isApplied(service, item), what).toBe(false);
  }
}

/** What was hidden was never shown, and every request was valid by the API file. */
export function expectHarmless(service: StandInService): void {
  for (const id of ['hidden-draft', 'hidden-public']) {
    const isShown = service.history.some(({ articles }) => articles.get(id)?.hidden === false);
    expect(isShown, `${id} was shown`).toBe(false);
  }
  expect(service.invalid).toEqual([]);
}
