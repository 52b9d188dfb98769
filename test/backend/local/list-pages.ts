/** Pages of lists whose query plans are tested. */
export const LIST_PAGES: readonly (readonly [
  what: string,
  filter: { categoryId?: string },
  page: { after?: unknown },
])[] = [
  ['a project version', {}, {}],
  ['a project version, after a cursor', {}, { after: ['a1'] }],
  ['a category', { categoryId: 'guides' }, {}],
  ['a category, after a cursor', { categoryId: 'guides' }, { after: [1, 'a1'] }],
];

export const pageOf = ({ after }: { after?: unknown }) => ({
  limit: 10,
  after: after === undefined ? null : Buffer.from(JSON.stringify(after)).toString('base64url'),
});
