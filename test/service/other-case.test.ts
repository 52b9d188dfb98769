import { describe, expect, it, onTestFinished } from 'vitest';
import type { Article } from '../../src/core/articles/articles.ts';
import type { Backend } from '../../src/core/backend.ts';
import { isObject } from '../../src/core/base/json.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { smallKnowledgeBase } from '../store/small-knowledge-base.ts';
import { openStore } from '../store/store.ts';
import { type Behaviour, forwardedTo } from '../support/faulty-service.ts';
import { startGateway } from '../support/gateway.ts';
import { callerWith, openScene } from '../support/rest-scene.ts';

const TOKEN = 'token';

/** All IDs of the service, which are in lower case. */
const IDS: ReadonlySet<string> = new Set([
  ...[...smallKnowledgeBase.project_versions, ...smallKnowledgeBase.categories, ...smallKnowledgeBase.articles].map(
    ({ id }) => id,
  ),
  ...smallKnowledgeBase.team_accounts.map(({ user_id }) => user_id),
  ...smallKnowledgeBase.readers.map(({ reader_id }) => reader_id),
  ...smallKnowledgeBase.invited_sso_users.map(({ invitation_id }) => invitation_id),
  ...smallKnowledgeBase.reader_groups.map(({ groupId }) => groupId),
]);

/** The JSON with the function applied to each text in it. */
function mapTexts(json: unknown, change: (text: string) => string): unknown {
  if (typeof json === 'string') return change(json);
  if (Array.isArray(json)) return json.map((entry) => mapTexts(entry, change));
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, mapTexts(value, change)]));
}

const asStored = (text: string): string => (IDS.has(text.toLowerCase()) ? text.toLowerCase() : text);
const inUpperCase = (text: string): string => (IDS.has(text) ? text.toUpperCase() : text);

/** Behaves as the service at the URL, which takes IDs in any case, and answers with all of them in upper case. */
const recasing =
  (url: string): Behaviour =>
  (response, request) => {
    const target = request.url.split('/').map((part) => part.replace(/^[^?]*/u, asStored));
    const end = response.end.bind(response);
    response.end = (text) => end(JSON.stringify(mapTexts(JSON.parse(String(text)), inUpperCase)));
    const body = request.body === undefined ? undefined : mapTexts(request.body, asStored);
    return forwardedTo(url)(response, { ...request, url: target.join('/'), body });
  };

async function openBackend(behaviourOf: (url: string) => Behaviour) {
  const { backend: store } = await openStore();
  const gateway = await startGateway({ backend: store, local: true, token: TOKEN });
  onTestFinished(() => gateway.close());
  const scene = await openScene();
  scene.service.onAny(behaviourOf(gateway.url));
  return { ...scene, caller: callerWith(TOKEN) };
}

const KEYS = ['a1', 'a2', 'a3', 'b1', 'w1'].map((articleId) => ({ articleId, languageCode: 'en' }));
const EDITION = { projectVersionId: 'pv1', languageCode: 'en' } as const;
const PAGE = { limit: 50 } as const;
const WITHOUT_TEXT = { withText: false, callsPerArticle: 0, withPublicVersion: true } as const;

const articleOf = async (backend: Backend, caller: Caller, articleId: string): Promise<Article> => {
  const [found] = await backend.articles(caller, [{ articleId, languageCode: 'en' }]);
  if (!found?.ok || found.value === null) throw new Error('The article is missing.');
  return { ...found.value, articleId };
};

type Work = (backend: Backend, caller: Caller) => unknown;

const WORK: Readonly<Record<string, Work>> = {
  'articles by category tree': (backend, caller) => backend.articles(caller, KEYS, 'summary'),
  'the articles of updates': (backend, caller) =>
    backend.articlesOfUpdates(
      caller,
      KEYS.map((key) => ({ ...key, title: 'T', hidden: true })),
      WITHOUT_TEXT,
    ),
  'articles in the default languages': (backend, caller) =>
    backend.articles(caller, [{ articleId: 'a1' }, { articleId: 'f1' }]),
  'lists of a project version': (backend, caller) => backend.listArticles(caller, { projectVersionId: 'pv1' }, PAGE),
  'lists of a category': (backend, caller) => backend.listArticles(caller, { ...EDITION, categoryId: 'guides' }, PAGE),
  categories: (backend, caller) =>
    backend.categories(caller, [{ categoryId: 'basics' }, { categoryId: 'bits', projectVersionId: 'pv1' }]),
  'the categories of articles': async (backend, caller) =>
    backend.categoriesOfArticles(caller, [await articleOf(backend, caller, 'a1')]),
  'the translations of articles': async (backend, caller) =>
    backend.articleTranslations(caller, [
      await articleOf(backend, caller, 'a1'),
      await articleOf(backend, caller, 'w1'),
    ]),
  'readers and invitations': async (backend, caller) => [
    ...(await backend.readers(caller, ['r1', 'r6', 'r9'])),
    ...(await backend.invitedSsoUsers(caller, ['i1', 'i9'])),
  ],
  'reader groups': (backend, caller) => backend.readerGroups(caller, ['none', 'category', 'version', 'project']),
  'team accounts': (backend, caller) => backend.teamAccounts(caller, ['u1', 'u2']),
  'a bulk update': (backend, caller) =>
    backend.bulkUpdateArticles(
      caller,
      ['a1', 'missing', 'w1'].map((articleId) => ({ articleId, title: 'New' })),
    ),
  'a publication': (backend, caller) =>
    backend.publishArticles(caller, { items: [{ articleId: 'a1' }, { articleId: 'a2' }], userId: 'u1' }),
  'a change of members': (backend, caller) =>
    backend.changeReaderGroupMembers(caller, {
      ...{ groupId: 'none', addReaderIds: ['r1', 'r5'], removeReaderIds: ['r2', 'r4'] },
      ...{ addInvitedSsoUserIds: [], removeInvitedSsoUserIds: ['i2'] },
    }),
};

/** Without the case of letters, and the times of writes. */
const comparable = (result: unknown): unknown =>
  JSON.parse(
    JSON.stringify(result)
      .toLowerCase()
      .replaceAll(/"\d{4}-\d\d-\d\dt[^"]*"/gu, '"time"'),
  );

describe('a service that answers with its IDs in another case', () => {
  it.each(Object.entries(WORK))('gives the same for %s, in as many calls', async (_name, work) => {
    const [plain, recased] = [await openBackend(forwardedTo), await openBackend(recasing)];
    const expected = comparable(await work(plain.backend, plain.caller));
    expect(comparable(await work(recased.backend, recased.caller))).toEqual(expected);
    expect(recased.service.received).toHaveLength(plain.service.received.length);
  });
});
