import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/core/backend.ts';
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
    const calls = (): Promise<Result<unknown, unknown> | readonly Result<unknown, unknown>[]>[] => [
      backend.bulkUpdateArticles(untrusted, [{ articleId: 'a1', title: 'x' }]),
      backend.updateReaderGroup(untrusted, { groupId: 'none', title: 'x', accessScope: { level: 'NONE' } }),
      backend.changeReaderGroupMembers(untrusted, { groupId: 'none', ...members }),
      backend.projectVersions(untrusted),
      backend.rateLimit(untrusted),
      backend.articles(untrusted, [{ articleId: 'a1' }]),
      backend.listArticles(untrusted, {}, page),
      backend.articlesOfCategories(untrusted, [category], page),
      backend.articleVersions(untrusted, [article]),
      backend.articleTranslations(untrusted, [article]),
      backend.rootCategories(untrusted, { projectVersionId: 'pv1' }),
      backend.categories(untrusted, [{ categoryId: 'guides' }]),
      backend.childCategories(untrusted, [category]),
      backend.categoriesOfArticles(untrusted, [article]),
      backend.readerGroups(untrusted, ['none']),
      backend.listReaderGroups(untrusted, page),
      backend.readers(untrusted, ['r1']),
      backend.listReaders(untrusted, null, page),
      backend.readersOfGroups(untrusted, [group], page),
      backend.invitedSsoUsers(untrusted, ['i1']),
      backend.listInvitedSsoUsers(untrusted, null, page),
      backend.groupIdsOfReaders(untrusted, [reader]),
      backend.groupsOfReaders(untrusted, [reader], page),
    ];
    const { value: results, statements } = await counted(() => Promise.all(calls()));
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
