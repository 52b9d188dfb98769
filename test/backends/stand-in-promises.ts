import { expect } from 'vitest';
import type { Gateway } from '../support/gateway.ts';
import { INITIAL, latestOf } from '../support/stand-in-service/knowledge.ts';
import type { Readings } from '../support/stand-in-service/readings.ts';
import type { StandInService } from '../support/stand-in-service/stand-in-service.ts';
import { ask, expectHarmless, expectTrue, type Item, openScene, outcomesOf, textOf } from './stand-in-scene.ts';

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
    expectHarmless(service);
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
