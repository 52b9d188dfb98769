import { describe, expect, it } from 'vitest';
import type { Backend, Page } from '../../src/core/backend.ts';
import type { Result } from '../../src/core/base/result.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { createTokenChecks } from '../../src/store/token-guard.ts';
import { caller, openStore, present, value } from './store.ts';

const with_ = (apiToken: string | null): Caller => ({ ...caller, apiToken });

describe('authenticate', () => {
  const { authenticate } = createTokenChecks(['first', 'sécond']);

  it.each(['first', 'sécond'])('accepts the token %s', (token) => {
    expect(authenticate(with_(token))).toEqual({ ok: true, value: undefined });
  });

  it('rejects a caller without a token', () => {
    expect(authenticate(with_(null))).toMatchObject({
      ok: false,
      error: { kind: 'unauthenticated', serviceErrors: [] },
    });
  });

  it.each(['', 'firs', 'firstt', 'First', 'first,sécond', 'second'])(
    'rejects the wrong token %j with the same error',
    (token) => {
      expect(authenticate(with_(token))).toEqual({
        ok: false,
        error: {
          kind: 'unauthenticated',
          message:
            'A valid API token is required. Send it in the header X-Api-Token, in api_token or after Authorization: Bearer.',
          serviceErrors: [
            { description: 'The API token is not valid.', errorCode: null, customData: null, extensionData: null },
          ],
        },
      });
    },
  );

  it('rejects every caller when no tokens are configured', () => {
    expect(createTokenChecks([]).authenticate(with_('')).ok).toBe(false);
  });
});

/** The calls of the port that check the token. The others read and write no content. */
type CheckedCall = Exclude<
  keyof Backend,
  | 'authenticate'
  | 'requireKnown'
  | 'knowledgeBaseId'
  | 'reserveCalls'
  | 'checkReadCalls'
  | 'forgetReads'
  | 'storedTextProblem'
  | 'smallCallDelayMs'
  | 'checkReady'
  | 'close'
>;

describe('a caller with a wrong token', () => {
  it('gets an error from every call of the port, and no statement is run', async () => {
    const { backend, counted } = await openStore();
    const article = present(value((await backend.articles(caller, [{ articleId: 'a1' }]))[0]));
    const category = present(value((await backend.categoriesOfArticles(caller, [article]))[0]));
    const group = present(value((await backend.readerGroups(caller, ['none']))[0]));
    const reader = present(value((await backend.readers(caller, ['r1']))[0]));
    const untrusted = with_('wrong');
    const page = { limit: 5 };
    const members = {
      addReaderIds: ['r4'],
      removeReaderIds: [],
      addInvitedSsoUserIds: [],
      removeInvitedSsoUserIds: [],
    };
    const creation = { title: 'x', projectVersionId: 'pv1', categoryId: 'guides', userId: 'u' };
    const lostFork = { articleId: 'a1', languageCode: 'en', versionNumber: 1, ageMs: 0 };
    const publications = {
      items: [{ articleId: 'a1', languageCode: 'en', versionNumber: 1 }],
      userId: 'u',
      message: null,
    };
    const calls: Readonly<
      Record<CheckedCall, () => Promise<Result<unknown, unknown> | readonly Result<unknown, unknown>[]>>
    > = {
      bulkUpdateArticles: () => backend.bulkUpdateArticles(untrusted, [{ articleId: 'a1', title: 'x' }]),
      updateReaderGroup: () =>
        backend.updateReaderGroup(untrusted, { groupId: 'none', title: 'x', accessScope: { level: 'NONE' } }),
      changeReaderGroupMembers: () => backend.changeReaderGroupMembers(untrusted, { groupId: 'none', ...members }),
      projectVersions: () => backend.projectVersions(untrusted),
      rateLimit: () => backend.rateLimit(untrusted),
      articles: () => backend.articles(untrusted, [{ articleId: 'a1' }]),
      listArticles: () => backend.listArticles(untrusted, {}, page),
      articlesOfCategories: () => backend.articlesOfCategories(untrusted, [category], page),
      articleVersions: () => backend.articleVersions(untrusted, [article]),
      articleTranslations: () => backend.articleTranslations(untrusted, [article]),
      rootCategories: () => backend.rootCategories(untrusted, { projectVersionId: 'pv1' }),
      categories: () => backend.categories(untrusted, [{ categoryId: 'guides' }]),
      childCategories: () => backend.childCategories(untrusted, [category]),
      categoriesOfArticles: () => backend.categoriesOfArticles(untrusted, [article]),
      readerGroups: () => backend.readerGroups(untrusted, ['none']),
      listReaderGroups: () => backend.listReaderGroups(untrusted, page),
      readers: () => backend.readers(untrusted, ['r1']),
      listReaders: () => backend.listReaders(untrusted, null, page),
      readersOfGroups: () => backend.readersOfGroups(untrusted, [group], page),
      invitedSsoUsers: () => backend.invitedSsoUsers(untrusted, ['i1']),
      listInvitedSsoUsers: () => backend.listInvitedSsoUsers(untrusted, null, page),
      groupIdsOfReaders: () => backend.groupIdsOfReaders(untrusted, [reader]),
      groupsOfReaders: () => backend.groupsOfReaders(untrusted, [reader], page),
      forkArticles: () =>
        backend.forkArticles(untrusted, {
          items: [{ articleId: 'a1', languageCode: 'en', versionNumber: 1 }],
          userId: 'u',
        }),
      createArticles: () => backend.createArticles(untrusted, [creation]),
      createCategories: () =>
        backend.createCategories(untrusted, [{ name: 'x', projectVersionId: 'pv1', userId: 'u' }]),
      publishArticles: () => backend.publishArticles(untrusted, publications),
      unpublishArticles: () => backend.unpublishArticles(untrusted, publications),
      articleBySlug: () => backend.articleBySlug(untrusted, { slug: 'x', projectVersionId: 'pv1', languageCode: 'en' }),
      articlesOfUpdates: () =>
        backend.articlesOfUpdates(untrusted, [{ articleId: 'a1', title: 'x' }], {
          withText: false,
          callsPerArticle: 0,
        }),
      articlesWithTitles: () => backend.articlesWithTitles(untrusted, [creation]),
      defaultLanguageTimes: () => backend.defaultLanguageTimes(untrusted, [article]),
      listTeamAccounts: () => backend.listTeamAccounts(untrusted, page),
      teamAccounts: () => backend.teamAccounts(untrusted, ['u']),
      lookForCreated: () => backend.lookForCreated(untrusted, [creation], []),
      lookForForks: () => backend.lookForForks(untrusted, [lostFork]),
    };
    const { value: results, statements } = await counted(() => Promise.all(Object.values(calls).map((call) => call())));
    const refused = { ok: false, error: { kind: 'unauthenticated' } };
    for (const result of results) expect([result].flat()).toEqual([expect.objectContaining({ ok: false })]);
    for (const result of results.flat()) expect(result).toMatchObject(refused);
    expect(statements).toEqual([]);
  });
});

describe('the count of a page', () => {
  it('fails by itself where the page could be read, with an error that can be shown', async () => {
    const { backend } = await openStore();
    let isGone = false;
    const leaving: Caller = { ...caller, isGone: () => isGone };
    const parents = present(value(await backend.rootCategories(leaving, { projectVersionId: 'pv1' })));
    const groups = await backend.readerGroups(leaving, ['g1']);
    const page = { limit: 1 };
    const pages: readonly (Page<unknown> | null)[] = [
      value(await backend.listArticles(leaving, { projectVersionId: 'pv1' }, page)),
      value(await backend.listReaders(leaving, null, page)),
      value(await backend.listInvitedSsoUsers(leaving, null, page)),
      value(await backend.listReaderGroups(leaving, page)),
      ...(await backend.articlesOfCategories(leaving, parents, page)).map(value),
      ...(
        await backend.readersOfGroups(
          leaving,
          groups.flatMap((found) => value(found) ?? []),
          page,
        )
      ).map(value),
    ];
    isGone = true;
    const counts = await Promise.all(pages.map((one) => one?.totalCount?.()));
    expect(counts.length).toBeGreaterThan(5);
    expect(counts.filter((count) => count?.ok)).toEqual([]);
    expect(counts).toEqual(counts.map(() => ({ ok: false, error: expect.objectContaining({ kind: 'unavailable' }) })));
  });
});
