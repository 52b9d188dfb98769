import { expect } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { INITIAL, latestOf, type StoredText } from '../support/stand-in-service/knowledge.ts';
import type { Readings } from '../support/stand-in-service/readings.ts';
import { STAND_IN_TOKEN, StandInService } from '../support/stand-in-service/stand-in-service.ts';

/** A gateway in front of a stand-in. Its waits take no time, since the time of the stand-in passes with calls. */
async function openScene(readings: Readings) {
  const service = await StandInService.open({ readings });
  const rest = openRestBackend({
    baseUrl: service.url,
    timeoutMs: 30_000,
    bulkSize: 100,
    maxReadCalls: 1_000,
    versionPausesMs: Array.from({ length: 12 }, () => 0),
    lookPausesMs: Array.from({ length: 12 }, () => 0),
    log: silentLog,
  });
  const backend = withPipeline(rest, { merging: mergeWrites({ maxItems: 100 }) });
  const options = { requestTimeoutMs: 60_000, maxUpstreamCalls: 1_000 };
  const gateway = await startGateway({ ...options, backend, local: false, token: STAND_IN_TOKEN });
  return { service, gateway };
}

interface Outcome {
  readonly __typename: string;
  readonly draftVersionNumber?: number | null;
  readonly reason?: string;
  readonly articleId?: string;
}

interface Item {
  readonly articleId: string;
  readonly languageCode?: string;
  readonly [member: string]: unknown;
}

const UPDATE = `mutation ($input: BulkUpdateArticlesInput!) {
  result: bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results { __typename articleId draftVersionNumber ... on ArticleUpdateNotAttempted { reason } }
    }
    ... on MutationError { message mayHaveApplied }
  }
}`;

const PUBLICATION = (name: 'PublishArticles' | 'UnpublishArticles') => `mutation ($input: ${name}Input!) {
  result: ${name.replace(/^./u, (letter) => letter.toLowerCase())}(input: $input) {
    __typename
    ... on ${name}Payload { results { __typename articleId } }
    ... on MutationError { message mayHaveApplied }
  }
}`;

const CREATE = `mutation ($input: CreateArticlesInput!) {
  result: createArticles(input: $input) {
    __typename
    ... on CreateArticlesPayload { results { __typename ... on ArticleCreated { articleId } } }
    ... on MutationError { message mayHaveApplied }
  }
}`;

async function ask(gateway: Gateway, query: string, variables: object = {}): Promise<Record<string, unknown>> {
  const { body } = await gateway.send(query, variables);
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined();
  return Object(body.data);
}

type Input = Readonly<Record<string, unknown>> & { readonly articles: readonly unknown[] };

/** The outcomes of the items. An error of the whole request is one for each. */
async function outcomesOf(gateway: Gateway, query: string, input: Input): Promise<readonly Outcome[]> {
  const { result } = await ask(gateway, query, { input });
  const { results, mayHaveApplied } = Object(result);
  if (results !== undefined) return results;
  expect(mayHaveApplied, JSON.stringify(result)).toBeTypeOf('boolean');
  return input.articles.map(() => ({ __typename: mayHaveApplied ? 'ArticleUpdateUnknown' : 'ArticleUpdateFailed' }));
}

/** All promises that the gateway makes whatever the service is like, by a fresh stand-in with these readings. */
export async function checkPromises(readings: Readings): Promise<void> {
  const { service, gateway } = await openScene(readings);
  try {
    await checkLists(service, gateway);
    await checkGroups(service, gateway);
    await checkUpdates(service, gateway);
    await checkForks(service, gateway);
    await checkPublications(service, gateway);
    await checkCreations(service, gateway);
    for (const id of ['hidden-draft', 'hidden-public']) {
      const isShown = service.history.some(({ articles }) => articles.get(id)?.hidden === false);
      expect(isShown, `${id} was shown`).toBe(false);
    }
    expect(service.invalid).toEqual([]);
  } finally {
    await gateway.close();
    await service.close();
  }
}

const LISTS = `query ($languageCode: String) {
  articles(projectVersionId: "pv1", languageCode: $languageCode, first: 100) {
    totalCount
    nodes { articleId title }
  }
}`;

/** Nothing is lost from a list, and nothing that can be told to be untranslated is in it. */
async function checkLists({ readings }: StandInService, gateway: Gateway): Promise<void> {
  const canTell = readings.untranslated === 'absent' || readings.listLanguages === 'requested';
  for (const languageCode of ['en', 'fr', 'de']) {
    const { articles } = await ask(gateway, LISTS, { languageCode });
    const { nodes, totalCount }: { nodes: { articleId: string; title: string }[]; totalCount: number | null } =
      Object(articles);
    const translated = [...INITIAL.articles.values()].flatMap(({ id, projectVersionId, texts }) => {
      const text = projectVersionId === 'pv1' ? texts.get(languageCode) : undefined;
      return text === undefined ? [] : [{ articleId: id, title: latestOf(text).title }];
    });
    expect(nodes, languageCode).toEqual(expect.arrayContaining(translated));
    if (canTell)
      expect(nodes.map(({ articleId }) => articleId).toSorted()).toEqual(
        translated.map((one) => one.articleId).toSorted(),
      );
    if (totalCount !== null) expect(totalCount).toBe(translated.length);
  }
}

const GROUPS = `{
  readerGroups(first: 100) { nodes { groupId } }
  readers(first: 100) { nodes { readerId } }
}`;

const RENAME = `mutation ($input: UpdateReaderGroupInput!) {
  result: updateReaderGroup(input: $input) { __typename ... on MutationError { message } }
}`;

async function checkGroups(service: StandInService, gateway: Gateway): Promise<void> {
  const { readerGroups, readers } = await ask(gateway, GROUPS);
  expect(Object(readerGroups).nodes).toHaveLength(INITIAL.groups.length);
  expect(Object(readers).nodes).toEqual([{ readerId: 'reader-1' }]);
  const { result } = await ask(gateway, RENAME, { input: { groupId: 'group-7', title: 'Renamed' } });
  const [group] = service.knowledge.groups.slice(-1);
  expect(group).toMatchObject({ associated_readers: ['reader-1'] });
  expect(Object(result).__typename === 'UpdateReaderGroupPayload').toBe(group?.title === 'Renamed');
}

const textOf = (service: StandInService, { articleId, languageCode = 'en' }: Item): StoredText | undefined =>
  service.knowledge.articles.get(articleId)?.texts.get(languageCode);

/** True where some version has had the title. No two items set the same. */
const isApplied = ({ history }: StandInService, { articleId, languageCode = 'en', title: wanted }: Item): boolean =>
  history.some(({ articles }) =>
    articles
      .get(articleId)
      ?.texts.get(languageCode)
      ?.versions.some(({ title }) => title === wanted),
  );

/** No outcome is untrue. An unknown one may be anything. */
function expectTrue(service: StandInService, items: readonly Item[], outcomes: readonly Outcome[]): void {
  expect(outcomes).toHaveLength(items.length);
  for (const [index, item] of items.entries()) {
    const { __typename: type = '' } = outcomes[index] ?? {};
    const what = `${item.articleId} ${item['title']}: ${type}`;
    if (type === 'ArticleUpdated') expect(isApplied(service, item), what).toBe(true);
    else if (type !== 'ArticleUpdateUnknown') expect(isApplied(service, item), what).toBe(false);
  }
}

const ITEMS: readonly Item[] = [
  { articleId: 'draft', title: 'draft 1' },
  { articleId: 'hidden-draft', title: 'hidden 1' },
  { articleId: 'hidden-draft', languageCode: 'fr', title: 'caché 1' },
  { articleId: 'hidden-public', title: 'hidden 2', order: 9 },
  { articleId: 'public', title: 'public 1' },
  { articleId: 'html', title: 'html 1', content: '  <p>a<br>b</p>\r\n' },
  { articleId: 'untranslated', languageCode: 'fr', title: 'nouveau 1' },
  { articleId: 'no-such-article', title: 'none 1' },
  { articleId: 'draft', title: 'draft 2' },
];

async function checkUpdates(service: StandInService, gateway: Gateway): Promise<void> {
  expectTrue(service, ITEMS, await outcomesOf(gateway, UPDATE, { articles: ITEMS }));
  // One article alone takes another way to what is hidden.
  const alone = [{ articleId: 'hidden-public', languageCode: 'fr', title: 'caché 2' }];
  expectTrue(service, alone, await outcomesOf(gateway, UPDATE, { articles: alone }));
}

/** A fork leaves the public text as it is; what is skipped is not changed. */
async function checkForks(service: StandInService, gateway: Gateway): Promise<void> {
  const forked = { articleId: 'public', languageCode: 'de', title: 'gegabelt' };
  const before = textOf(service, forked);
  const skipped = { articleId: 'public', languageCode: 'de', title: 'übergangen' };
  const skip = await outcomesOf(gateway, UPDATE, { articles: [skipped], ifPublished: 'SKIP' });
  expect(skip[0]).toMatchObject({ __typename: 'ArticleUpdateNotAttempted', reason: 'PUBLISHED' });
  expect(textOf(service, forked)).toEqual(before);
  const fork = { articles: [forked], ifPublished: 'FORK', userId: 'user-1' };
  const outcomes = await outcomesOf(gateway, UPDATE, fork);
  expectTrue(service, [forked], outcomes);
  const after = textOf(service, forked);
  expect(after?.versions[0]).toEqual(before?.versions[0]);
  expect(outcomes[0]).toMatchObject({ __typename: 'ArticleUpdated', draftVersionNumber: 2 });
  expect(after?.versions.map(({ number }) => number)).toEqual([1, 2]);
}

async function checkPublications(service: StandInService, gateway: Gateway): Promise<void> {
  const item = { articleId: 'untranslated', versionNumber: 1 };
  const isPublic = () => textOf(service, item)?.publicVersion === 1;
  const sent = { articles: [item], userId: 'user-1' };
  for (const [name, wanted] of [
    ['UnpublishArticles', false],
    ['PublishArticles', true],
  ] as const) {
    const [outcome] = await outcomesOf(gateway, PUBLICATION(name), sent);
    if (outcome?.__typename === 'ArticleUpdated') expect(isPublic(), name).toBe(wanted);
    else if (outcome?.__typename !== 'ArticleUpdateUnknown') expect(isPublic(), name).toBe(!wanted);
  }
}

async function checkCreations(service: StandInService, gateway: Gateway): Promise<void> {
  const common = { projectVersionId: 'pv1', content: 'Text' };
  const articles = [
    { ...common, title: 'Created one', categoryId: 'guides' },
    { ...common, title: 'Created two', categoryId: 'no-such-category' },
  ];
  const outcomes = await outcomesOf(gateway, CREATE, { articles, userId: 'user-1' });
  const titles = [...service.knowledge.articles.values()].map((one) => one.texts.get('en')?.versions[0].title);
  for (const [index, { title }] of articles.entries()) {
    const { __typename: type = '' } = outcomes[index] ?? {};
    if (type === 'ArticleCreated') expect(titles, type).toContain(title);
    else if (!type.endsWith('Unknown')) expect(titles, type).not.toContain(title);
  }
}
