import type { ArticleListRequest } from '../../src/core/articles/articles.ts';

/** Pages of lists whose query plans are tested. */
export const LIST_PAGES: readonly (readonly [what: string, request: ArticleListRequest, page: { after?: unknown }])[] =
  [
    ['a project version', {}, {}],
    ['a project version, after a cursor', {}, { after: ['a1'] }],
    ['hidden articles', { filter: { hidden: true } }, {}],
    ['hidden articles, after a cursor', { filter: { hidden: true } }, { after: ['a1'] }],
    ['articles of one status', { filter: { translationStatuses: ['NEEDS_TRANSLATION'] } }, { after: ['a1'] }],
    ['published articles', { filter: { statuses: ['PUBLISHED'] } }, { after: ['a1'] }],
    ['articles by title', { orderBy: 'TITLE' }, {}],
    ['articles by title, after a cursor', { orderBy: 'TITLE' }, { after: ['title', 'a1'] }],
    ['the articles that were not changed for longest', { orderBy: 'MODIFIED_AT' }, {}],
    [
      'the articles before a time, after a cursor',
      { orderBy: 'MODIFIED_AT', filter: { modifiedBefore: new Date() } },
      { after: ['2026-01-01T00:00:00.000Z', 'a1'] },
    ],
    ['the last articles', { orderBy: 'MODIFIED_AT_DESC' }, {}],
    [
      'the articles since a time, after a cursor',
      { orderBy: 'MODIFIED_AT_DESC', filter: { modifiedSince: new Date() } },
      { after: ['2026-01-01T00:00:00.000Z', 'a1'] },
    ],
    ['a category', { categoryId: 'guides' }, {}],
    ['a category, after a cursor', { categoryId: 'guides' }, { after: [1, 'a1'] }],
  ];

export const pageOf = ({ after }: { after?: unknown }) => ({
  limit: 10,
  after: after === undefined ? null : Buffer.from(JSON.stringify(after)).toString('base64url'),
});
