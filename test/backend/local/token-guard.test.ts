import { describe, expect, it } from 'vitest';
import { createAuthenticate } from '../../../src/backend/local/token-guard.ts';
import type { Caller } from '../../../src/domain/callers/caller.ts';
import type { Result } from '../../../src/domain/result.ts';
import { caller, openStore, there, value } from './store.ts';

const with_ = (apiToken: string | null): Caller => ({ ...caller, apiToken });

describe('authenticate', () => {
  const authenticate = createAuthenticate(['first', 'sécond']);

  it.each(['first', 'sécond'])('accepts the token %s', (token) => {
    expect(authenticate(with_(token))).toEqual({ ok: true, value: undefined });
  });

  it('asks for a token where there is none', () => {
    expect(authenticate(with_(null))).toMatchObject({
      ok: false,
      error: { kind: 'unauthenticated', serviceErrors: [] },
    });
  });

  it.each(['', 'firs', 'firstt', 'First', 'first,sécond', 'second'])('answers alike to the wrong token %j', (token) => {
    expect(authenticate(with_(token))).toEqual({
      ok: false,
      error: {
        kind: 'unauthenticated',
        message: 'A valid API token is required. Send it in the header api_token.',
        serviceErrors: [
          { description: 'The API token is not valid.', errorCode: null, customData: null, extensionData: null },
        ],
      },
    });
  });

  it('accepts nobody where there are no tokens', () => {
    expect(createAuthenticate([])(with_('')).ok).toBe(false);
  });
});

describe('a caller with a wrong token', () => {
  it('is answered by no call of the port, and reaches no statement', async () => {
    const { backend, counted } = await openStore();
    const article = there(value((await backend.articles(caller, [{ articleId: 'a1' }]))[0]));
    const category = there(value((await backend.categoriesOfArticles(caller, [article]))[0]));
    const group = there(value((await backend.readerGroups(caller, ['none']))[0]));
    const reader = there(value((await backend.readers(caller, ['r1']))[0]));
    const stranger = with_('wrong');
    const page = { limit: 5 };
    const members = {
      addReaderIds: ['r4'],
      removeReaderIds: [],
      addInvitedSsoUserIds: [],
      removeInvitedSsoUserIds: [],
    };
    const calls = (): Promise<Result<unknown, unknown> | readonly Result<unknown, unknown>[]>[] => [
      backend.bulkUpdateArticles(stranger, [{ articleId: 'a1', title: 'x' }]),
      backend.updateReaderGroup(stranger, { groupId: 'none', title: 'x', accessScope: { level: 'NONE' } }),
      backend.changeReaderGroupMembers(stranger, { groupId: 'none', ...members }),
      backend.projectVersions(stranger),
      backend.rateLimit(stranger),
      backend.articles(stranger, [{ articleId: 'a1' }]),
      backend.listArticles(stranger, {}, page),
      backend.articlesOfCategories(stranger, [category], page),
      backend.articleVersions(stranger, [article]),
      backend.articleTranslations(stranger, [article]),
      backend.rootCategories(stranger, { projectVersionId: 'pv1' }),
      backend.categories(stranger, [{ categoryId: 'guides' }]),
      backend.childCategories(stranger, [category]),
      backend.categoriesOfArticles(stranger, [article]),
      backend.readerGroups(stranger, ['none']),
      backend.listReaderGroups(stranger, page),
      backend.readers(stranger, ['r1']),
      backend.listReaders(stranger, null, page),
      backend.readersOfGroups(stranger, [group], page),
      backend.invitedSsoUsers(stranger, ['i1']),
      backend.listInvitedSsoUsers(stranger, null, page),
      backend.groupsOfReaders(stranger, [reader]),
    ];
    const { value: answers, statements } = await counted(() => Promise.all(calls()));
    const refused = { ok: false, error: { kind: 'unauthenticated' } };
    for (const answer of answers) expect([answer].flat()).toEqual([expect.objectContaining({ ok: false })]);
    for (const answer of answers.flat()) expect(answer).toMatchObject(refused);
    expect(statements).toEqual([]);
  });
});
