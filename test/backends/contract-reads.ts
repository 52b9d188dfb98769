import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import type { Send } from '../support/gateway.ts';

const Articles = z.object({
  articles: z.object({
    nodes: z.array(z.object({ articleId: z.string() })),
    pageInfo: z.object({ hasNextPage: z.boolean(), hasPreviousPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

const TeamAccounts = z.object({
  teamAccounts: z.object({
    nodes: z.array(z.object({ userId: z.string(), firstName: z.string().nullable(), lastName: z.string().nullable() })),
    pageInfo: z.object({ hasNextPage: z.boolean(), hasPreviousPage: z.boolean(), endCursor: z.string() }),
  }),
});

const Groups = z.object({ readerGroups: z.object({ pageInfo: z.object({ endCursor: z.string() }) }) });

export function describeReads(send: Send, htmlOf: (markdown: string) => string | null): void {
  const data = async (query: string, variables: object = {}) => {
    const { body } = await send(query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };

  describe('team accounts', () => {
    const ACCOUNTS = /* GraphQL */ `
      query ($first: Int, $after: String) {
        teamAccounts(first: $first, after: $after) {
          nodes { userId firstName lastName }
          pageInfo { hasNextPage hasPreviousPage endCursor }
        }
      }
    `;

    it('come in pages, with the one that every store has', async () => {
      const first = TeamAccounts.parse(await data(ACCOUNTS, { first: 2 })).teamAccounts;
      expect(first.nodes).toEqual([
        { userId: 'embedded-store', firstName: null, lastName: 'Embedded store' },
        { userId: 'u2', firstName: 'Uma', lastName: 'Ude' },
      ]);
      expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
      const second = await data(ACCOUNTS, { first: 2, after: first.pageInfo.endCursor });
      expect(second).toMatchObject({
        teamAccounts: { nodes: [{ userId: 'u1' }], pageInfo: { hasNextPage: false, hasPreviousPage: true } },
      });
    });

    it('are not told of the caller, whose scopes a plain API token does not tell', async () => {
      expect(await data('{ caller { scopes } }')).toEqual({ caller: { scopes: null } });
    });
  });

  describe('articles', () => {
    it('reads one article in its default language and latest version, with its links', async () => {
      const answer = await data(`{
        article(articleId: "a1") {
          articleId languageCode versionNumber latestVersionNumber title content htmlContent slug hidden order translationStatus contentType
          category { categoryId name parent { categoryId } children { categoryId } }
          projectVersion { projectVersionId name isDefault languages { code name isDefault } }
          versions { versionNumber status }
          translations { languageCode title versionNumber }
        }
      }`);
      expect(answer).toEqual({
        article: {
          articleId: 'a1',
          languageCode: 'en',
          versionNumber: 2,
          latestVersionNumber: 2,
          title: 'a1 en 2',
          content: 'Text of a1 in en, version 2.',
          htmlContent: htmlOf('Text of a1 in en, version 2.'),
          slug: 'a1',
          hidden: false,
          order: 1,
          translationStatus: 'NONE',
          contentType: 'MARKDOWN',
          category: { categoryId: 'c1', name: 'Guides', parent: null, children: [{ categoryId: 'c3' }] },
          projectVersion: {
            projectVersionId: 'pv1',
            name: 'v1',
            isDefault: true,
            languages: [
              { code: 'de', name: 'German', isDefault: false },
              { code: 'en', name: 'English', isDefault: true },
            ],
          },
          versions: [
            { versionNumber: 1, status: 'published' },
            { versionNumber: 2, status: 'draft' },
          ],
          translations: [
            { languageCode: 'de', title: 'a1 de 1', versionNumber: 1 },
            { languageCode: 'en', title: 'a1 en 2', versionNumber: 2 },
          ],
        },
      });
    });

    it('tells what is published, and who wrote what and when', async () => {
      const answer = await data(`
        fragment A on Article {
          status publicVersionNumber url description createdAt createdBy authors { userId firstName lastName }
        }
        { latest: article(articleId: "a1") { ...A }
          first: article(articleId: "a1", versionNumber: 1) { ...A }
          other: article(articleId: "a2") { ...A }
          articles(first: 2) { nodes { ...A } } }`);
      const latest = {
        status: 'DRAFT',
        publicVersionNumber: 1,
        url: 'https://docs.example.com/a1',
        description: 'The second',
        createdAt: '2024-06-06T07:08:09.000Z',
        createdBy: 'u2',
        authors: [
          { userId: 'u2', firstName: 'Uma', lastName: 'Ude' },
          { userId: 'u1', firstName: 'Vic', lastName: null },
        ],
      };
      const none = { description: null, createdAt: null, createdBy: null, authors: [] };
      const other = { status: 'DRAFT', publicVersionNumber: null, url: null, ...none };
      const first = {
        ...latest,
        status: 'PUBLISHED',
        description: null,
        createdAt: '2024-05-06T07:08:09.123Z',
        createdBy: 'u1',
        authors: [{ userId: 'u1', firstName: 'Vic', lastName: null }],
      };
      expect(answer).toEqual({ latest, first, other, articles: { nodes: [latest, other] } });
    });

    it('reads a version by its number, and the default language of the project version of the article', async () => {
      const answer = await data(`{
        old: article(articleId: "a1", versionNumber: 1) { title versionNumber latestVersionNumber }
        french: article(articleId: "f1") { title languageCode projectVersion { projectVersionId } }
        html: article(articleId: "w1") { contentType htmlContent }
      }`);
      expect(answer).toEqual({
        old: { title: 'a1 en 1', versionNumber: 1, latestVersionNumber: 2 },
        french: { title: 'f1 fr 1', languageCode: 'fr', projectVersion: { projectVersionId: 'pv2' } },
        html: { contentType: 'WYSIWYG', htmlContent: 'Text of w1 in en, version 1.' },
      });
    });

    it('answers null for what does not exist, never the text of another language', async () => {
      const answer = await data(`{
        article: article(articleId: "nobody") { title }
        translation: article(articleId: "a2", languageCode: "de") { title }
        language: article(articleId: "a2", languageCode: "xx") { title }
        version: article(articleId: "a2", versionNumber: 7) { title }
        empty: article(articleId: "") { title }
        dots: article(articleId: "..") { title }
      }`);
      expect(answer).toEqual({
        article: null,
        translation: null,
        language: null,
        version: null,
        empty: null,
        dots: null,
      });
    });

    it('finds an article by its slug, in the language and the project version that are asked for', async () => {
      const answer = await data(`{
        default: articleBySlug(slug: "a1") { articleId languageCode versionNumber content category { categoryId } }
        german: articleBySlug(slug: "a3", languageCode: "de") { articleId languageCode title }
        hidden: articleBySlug(slug: "a4") { articleId hidden }
        otherVersion: articleBySlug(slug: "f1", projectVersionId: "pv2") { articleId languageCode }
      }`);
      expect(answer).toEqual({
        default: {
          articleId: 'a1',
          languageCode: 'en',
          versionNumber: 2,
          content: 'Text of a1 in en, version 2.',
          category: { categoryId: 'c1' },
        },
        german: { articleId: 'a3', languageCode: 'de', title: 'a3 de 1' },
        hidden: { articleId: 'a4', hidden: true },
        otherVersion: { articleId: 'f1', languageCode: 'fr' },
      });
    });

    it('answers null for a slug that no article of the edition has', async () => {
      const answer = await data(`{
        unknown: articleBySlug(slug: "nobody") { articleId }
        case: articleBySlug(slug: "A1") { articleId }
        beginning: articleBySlug(slug: "a") { articleId }
        empty: articleBySlug(slug: "") { articleId }
        translation: articleBySlug(slug: "a2", languageCode: "de") { articleId }
        elsewhere: articleBySlug(slug: "f1") { articleId }
        language: articleBySlug(slug: "a1", languageCode: "xx") { articleId }
        version: articleBySlug(slug: "a1", projectVersionId: "pv9") { articleId }
      }`);
      expect(new Set(Object.values(z.record(z.string(), z.null()).parse(answer)))).toEqual(new Set([null]));
    });

    const LIST = /* GraphQL */ `
      query ($projectVersionId: ID, $languageCode: String, $categoryId: ID, $first: Int, $after: String) {
        articles(projectVersionId: $projectVersionId, languageCode: $languageCode, categoryId: $categoryId, first: $first, after: $after) {
          nodes { articleId }
          edges { cursor node { title } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }
    `;
    const list = async (variables: object) => Articles.parse(await data(LIST, variables)).articles;
    const ids = ({ nodes }: z.infer<typeof Articles>['articles']) => nodes.map(({ articleId }) => articleId);

    it('lists the articles of the default project version and language page by page', async () => {
      const first = await list({ first: 4 });
      expect(ids(first)).toEqual(['a1', 'a2', 'a3', 'a4']);
      expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
      const second = await list({ first: 4, after: first.pageInfo.endCursor });
      expect(ids(second)).toEqual(['a5', 'w1']);
      expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    });

    it('lists only what is in the language, the project version or the category', async () => {
      expect(ids(await list({ languageCode: 'de' }))).toEqual(['a1', 'a3']);
      expect(ids(await list({ projectVersionId: 'pv2' }))).toEqual(['f1']);
      expect(ids(await list({ categoryId: 'c2' }))).toEqual(['a4', 'a5', 'w1']);
    });

    const FILTERED = /* GraphQL */ `
      query ($filter: ArticleFilter, $orderBy: ArticleOrder, $languageCode: String, $categoryId: ID, $first: Int, $after: String) {
        articles(filter: $filter, orderBy: $orderBy, languageCode: $languageCode, categoryId: $categoryId, first: $first, after: $after) {
          nodes { articleId }
          pageInfo { hasNextPage hasPreviousPage endCursor }
        }
      }
    `;
    const filtered = async (variables: object) => Articles.parse(await data(FILTERED, variables)).articles;
    const update = async (...articles: readonly object[]) =>
      data('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
        input: { articles },
      });

    it('finds hidden articles, and those that are not', async () => {
      expect(ids(await filtered({ filter: { hidden: true } }))).toEqual(['a4']);
      expect(ids(await filtered({ filter: { hidden: false } }))).toEqual(['a1', 'a2', 'a3', 'a5', 'w1']);
      expect(ids(await filtered({ filter: { hidden: false }, categoryId: 'c2' }))).toEqual(['a5', 'w1']);
      await update({ articleId: 'a1', hidden: true }, { articleId: 'a4', hidden: false });
      expect(ids(await filtered({ filter: { hidden: true } }))).toEqual(['a1']);
      expect(ids(await filtered({ filter: { hidden: true }, languageCode: 'de' }))).toEqual(['a1']);
      await update({ articleId: 'a1', hidden: false }, { articleId: 'a4', hidden: true });
    });

    it('finds articles by the status of their latest versions', async () => {
      expect(ids(await filtered({ filter: { status: ['PUBLISHED'] } }))).toEqual(['a3']);
      expect(ids(await filtered({ filter: { status: ['PUBLISHED'] }, languageCode: 'de' }))).toEqual(['a1']);
      expect(ids(await filtered({ filter: { status: ['DRAFT'], hidden: false } }))).toEqual(['a1', 'a2', 'a5', 'w1']);
      expect(ids(await filtered({ filter: { status: ['DRAFT', 'PUBLISHED'] } }))).toHaveLength(6);
      expect(ids(await filtered({ filter: { status: ['UNRECOGNIZED'] } }))).toEqual([]);
      expect(ids(await filtered({ filter: { status: ['DRAFT'] }, categoryId: 'c3' }))).toEqual([]);
      const { body } = await send('{ articles(filter: { status: [] }) { nodes { articleId } } }');
      expect(body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    });

    it('finds articles by words of their texts, alone and with `hidden`, page by page', async () => {
      expect(ids(await filtered({ filter: { text: 'A1' } }))).toEqual(['a1']);
      expect(ids(await filtered({ filter: { text: 'nowhere' } }))).toEqual([]);
      expect(ids(await filtered({ filter: { text: 'version text', hidden: true } }))).toEqual(['a4']);
      expect(ids(await filtered({ filter: { text: 'Text' }, languageCode: 'de' }))).toEqual(['a1', 'a3']);
      const first = await filtered({ filter: { text: 'text' }, first: 4 });
      expect(ids(first)).toEqual(['a1', 'a2', 'a3', 'a4']);
      const second = await filtered({ filter: { text: 'text' }, first: 4, after: first.pageInfo.endCursor });
      expect(ids(second)).toEqual(['a5', 'w1']);
      expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    });

    it('finds articles by translation status and by the time of the last change, of their latest versions', async () => {
      // The last write may have been in this millisecond.
      const lastWritten = Date.now();
      await expect.poll(() => Date.now()).toBeGreaterThan(lastWritten);
      const before = new Date();
      expect(ids(await filtered({ filter: { modifiedSince: before } }))).toEqual([]);
      await update(
        { articleId: 'a1', languageCode: 'de', translationStatus: 'NEEDS_TRANSLATION' },
        { articleId: 'a3', translationStatus: 'TRANSLATED' },
        { articleId: 'a1', versionNumber: 1, translationStatus: 'TRANSLATED' },
      );
      const translated = { translationStatus: ['TRANSLATED'] };
      expect(ids(await filtered({ filter: translated }))).toEqual(['a3']);
      expect(ids(await filtered({ filter: { translationStatus: ['NEEDS_TRANSLATION'] } }))).toEqual([]);
      expect(ids(await filtered({ filter: { translationStatus: ['NONE', 'TRANSLATED', 'NONE'] } }))).toHaveLength(6);
      expect(ids(await filtered({ filter: { translationStatus: ['NEEDS_TRANSLATION'] }, languageCode: 'de' }))).toEqual(
        ['a1'],
      );
      expect(ids(await filtered({ filter: { modifiedSince: before } }))).toEqual(['a3']);
      expect(ids(await filtered({ filter: { modifiedSince: before, hidden: true } }))).toEqual([]);
      expect(ids(await filtered({ filter: { modifiedSince: '2099-01-01T00:00:00+01:00' } }))).toEqual([]);
    });

    it('sorts by title without regard to case, page by page', async () => {
      await update(
        { articleId: 'a5', title: 'Alpha' },
        { articleId: 'a2', title: 'ÉTÉ' },
        { articleId: 'w1', title: 'alpha' },
      );
      const first = await filtered({ orderBy: 'TITLE', first: 4 });
      expect(ids(first)).toEqual(['a1', 'a3', 'a4', 'a5']);
      const second = await filtered({ orderBy: 'TITLE', first: 4, after: first.pageInfo.endCursor });
      expect(ids(second)).toEqual(['w1', 'a2']);
      expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
      expect(ids(await filtered({ orderBy: 'TITLE', filter: { hidden: true } }))).toEqual(['a4']);
      expect(ids(await filtered({ orderBy: 'TITLE', categoryId: 'c2' }))).toEqual(['a4', 'a5', 'w1']);
    });

    it('sorts by the time of the last change, the last one first, page by page', async () => {
      await update({ articleId: 'a3', source: 'x' });
      const firstWritten = Date.now();
      await expect.poll(() => Date.now()).toBeGreaterThan(firstWritten);
      await update({ articleId: 'a5', source: 'x' }, { articleId: 'a4', source: 'x' });
      const byTime = { orderBy: 'MODIFIED_AT_DESC' };
      const first = await filtered({ ...byTime, first: 3 });
      expect(ids(first)).toEqual(['a5', 'a4', 'a3']);
      const second = await filtered({ ...byTime, first: 3, after: first.pageInfo.endCursor });
      expect(ids(second).toSorted()).toEqual(['a1', 'a2', 'w1']);
      expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    });

    it('sorts by the time of the last change, the first one first, and finds what was not changed since a time', async () => {
      await update({ articleId: 'a1', source: 'x' }, { articleId: 'a2', source: 'x' });
      const earlier = Date.now();
      await expect.poll(() => Date.now()).toBeGreaterThan(earlier);
      const time = new Date();
      await update({ articleId: 'w1', source: 'x' });
      await expect.poll(() => Date.now()).toBeGreaterThan(time.getTime());
      await update({ articleId: 'a3', source: 'x' });
      const latest = { filter: { modifiedSince: time }, orderBy: 'MODIFIED_AT' };
      const first = await filtered({ ...latest, first: 1 });
      expect(ids(first)).toEqual(['w1']);
      expect(ids(await filtered({ ...latest, first: 9, after: first.pageInfo.endCursor }))).toEqual(['a3']);
      const earliest = await filtered({ filter: { modifiedBefore: time }, orderBy: 'MODIFIED_AT' });
      expect(ids(earliest).slice(-2)).toEqual(['a1', 'a2']);
      expect(ids(earliest)).not.toContain('w1');
      const backwards = await filtered({ filter: { modifiedBefore: time }, orderBy: 'MODIFIED_AT_DESC' });
      expect(ids(backwards)).toEqual(ids(earliest).toReversed());
      const never = { modifiedBefore: time, modifiedSince: time };
      expect(ids(await filtered({ filter: never, orderBy: 'MODIFIED_AT' }))).toEqual([]);
    });

    it('tells which translations are older than the text of the default language', async () => {
      const STALE =
        '{ articles(languageCode: "de") { nodes { articleId isStale } } article(articleId: "a1") { isStale } }';
      await update(
        { articleId: 'a1', languageCode: 'de', source: 'x' },
        { articleId: 'a3', languageCode: 'de', source: 'x' },
      );
      const earlier = Date.now();
      await expect.poll(() => Date.now()).toBeGreaterThan(earlier);
      await update({ articleId: 'a1', source: 'x' });
      expect(await data(STALE)).toEqual({
        articles: {
          nodes: [
            { articleId: 'a1', isStale: true },
            { articleId: 'a3', isStale: false },
          ],
        },
        article: { isStale: false },
      });
    });

    it.each([
      ['ID', 'TITLE'],
      ['MODIFIED_AT', 'MODIFIED_AT_DESC'],
      ['TITLE', 'MODIFIED_AT_DESC'],
      ['MODIFIED_AT_DESC', 'TITLE'],
      ['TITLE', 'ID'],
    ])('refuses a cursor of the order %s in the order %s', async (order, other) => {
      const first = await filtered({ orderBy: order, first: 1 });
      const { body } = await send(FILTERED, { orderBy: other, after: first.pageInfo.endCursor });
      expect(body).toMatchObject({
        data: { articles: null },
        errors: [
          {
            message: `after must be a cursor of the order ${other}; this one is of the order ${order}. Leave after out to begin with the first page.`,
            extensions: { code: 'VALIDATION_FAILED', issues: [{ path: ['after'] }] },
          },
        ],
      });
    });

    it('answers null for an unknown language also with a filter', async () => {
      expect(await data(FILTERED, { filter: { hidden: true }, languageCode: 'xx' })).toEqual({ articles: null });
    });

    it.each([[''], ['*'], ['a'.repeat(301)], ['a\0b']])('refuses the text %j', async (text) => {
      const { body } = await send(FILTERED, { filter: { text } });
      expect(body.errors).toMatchObject([
        {
          message: expect.stringMatching(/^text must (?:have|not contain) /u),
          extensions: { code: 'VALIDATION_FAILED', issues: [{ path: ['filter', 'text'] }] },
        },
      ]);
    });

    it('refuses a filter without a status', async () => {
      const { body } = await send(FILTERED, { filter: { translationStatus: [] } });
      expect(body.errors).toMatchObject([
        { extensions: { code: 'VALIDATION_FAILED', issues: [{ path: ['filter', 'translationStatus'] }] } },
      ]);
    });

    it.each([['2026-02-30T00:00:00Z'], ['2026-02-03'], ['9999-12-31T23:59:59-01:00'], [20260203], ['yesterday']])(
      'refuses %j as a time',
      async (modifiedSince) => {
        const { body } = await send(FILTERED, { filter: { modifiedSince } });
        expect(body.errors).toMatchObject([{ message: expect.stringContaining('RFC 3339') }]);
      },
    );

    it.each([[{ projectVersionId: 'pv9' }], [{ languageCode: 'xx' }], [{ categoryId: 'c9' }]])(
      'answers null for the unknown %j',
      async (variables) => {
        expect(await data(LIST, variables)).toEqual({ articles: null });
      },
    );

    it('loads the text of listed articles where it is selected', async () => {
      const answer = await data('{ articles(first: 2) { nodes { articleId content } } }');
      expect(answer).toEqual({
        articles: {
          nodes: [
            { articleId: 'a1', content: 'Text of a1 in en, version 2.' },
            { articleId: 'a2', content: 'Text of a2 in en, version 1.' },
          ],
        },
      });
    });

    it.each([[0], [101], [-1]])('refuses a page of %i', async (first) => {
      const { body } = await send(LIST, { first });
      expect(body).toMatchObject({
        data: { articles: null },
        errors: [{ path: ['articles'], extensions: { code: 'VALIDATION_FAILED' } }],
      });
    });

    it.each(['nonsense', 'ID.nonsense'])('refuses a cursor that it did not give: %s', async (after) => {
      const { body } = await send(LIST, { after });
      expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', issues: [{ path: ['after'] }] });
    });
  });

  describe('categories', () => {
    it('reads the tree with its articles', async () => {
      const answer = await data(`{
        categories(projectVersionId: "pv1") {
          categoryId languageCode name order
          articles(first: 1) { nodes { articleId category { categoryId } } pageInfo { hasNextPage } }
          children { categoryId name parent { name } articles { nodes { articleId } } }
        }
      }`);
      expect(answer).toEqual({
        categories: [
          {
            categoryId: 'c1',
            languageCode: 'en',
            name: 'Guides',
            order: 1,
            articles: { nodes: [{ articleId: 'a1', category: { categoryId: 'c1' } }], pageInfo: { hasNextPage: true } },
            children: [
              {
                categoryId: 'c3',
                name: 'Basics',
                parent: { name: 'Guides' },
                articles: { nodes: [{ articleId: 'a3' }] },
              },
            ],
          },
          {
            categoryId: 'c2',
            languageCode: 'en',
            name: 'Reference',
            order: 2,
            articles: { nodes: [{ articleId: 'a4', category: { categoryId: 'c2' } }], pageInfo: { hasNextPage: true } },
            children: [],
          },
        ],
      });
    });

    it('reads it in another language, and answers null where there is none', async () => {
      const answer = await data(`{
        german: categories(projectVersionId: "pv1", languageCode: "de") { categoryId languageCode articles { nodes { articleId } } }
        version: categories(projectVersionId: "pv9") { categoryId }
        language: categories(projectVersionId: "pv1", languageCode: "fr") { categoryId }
      }`);
      expect(answer).toEqual({
        german: [
          { categoryId: 'c1', languageCode: 'de', articles: { nodes: [{ articleId: 'a1' }] } },
          { categoryId: 'c2', languageCode: 'de', articles: { nodes: [] } },
        ],
        version: null,
        language: null,
      });
    });
  });

  describe('reader groups', () => {
    it('reads a group with its members and the names behind its scope', async () => {
      const answer = await data(`{
        readerGroup(groupId: "g2") {
          groupId title description readerIds invitedSsoUserIds
          accessScope { level rawLevel ... on CategoryAccessScope { categories { category { name } projectVersion { name } language { name } } } }
          readers { nodes { readerId firstName lastName email groupIds groups { nodes { groupId } totalCount } } pageInfo { hasNextPage } }
          invitedSsoUsers { invitationId email }
        }
        unknown: readerGroup(groupId: "g99") { title }
      }`);
      expect(answer).toEqual({
        readerGroup: {
          groupId: 'g2',
          title: 'Guides',
          description: 'Reads the guides',
          readerIds: ['r1', 'r2'],
          invitedSsoUserIds: ['i1'],
          accessScope: {
            level: 'CATEGORY',
            rawLevel: 1,
            categories: [
              { category: { name: 'Guides' }, projectVersion: { name: 'v1' }, language: { name: 'English' } },
            ],
          },
          readers: {
            nodes: [
              {
                readerId: 'r1',
                firstName: 'Reader',
                lastName: '1',
                email: 'reader1@example.com',
                groupIds: ['g2', 'g4'],
                groups: { nodes: [{ groupId: 'g2' }, { groupId: 'g4' }], totalCount: 2 },
              },
              {
                readerId: 'r2',
                firstName: 'Reader',
                lastName: '2',
                email: 'reader2@example.org',
                groupIds: ['g2', 'g3'],
                groups: { nodes: [{ groupId: 'g2' }, { groupId: 'g3' }], totalCount: 2 },
              },
            ],
            pageInfo: { hasNextPage: false },
          },
          invitedSsoUsers: [{ invitationId: 'i1', email: 'first@example.net' }],
        },
        unknown: null,
      });
    });

    it('pages through the groups of a reader', async () => {
      const page = async (after: string | null) => {
        const query = `query ($after: String) {
          readers(emailContains: "reader1@") { nodes { groups(first: 1, after: $after) {
            edges { cursor node { groupId readerIds } } pageInfo { hasNextPage hasPreviousPage endCursor } totalCount
          } } }
        }`;
        const { body } = await send(query, { after });
        const [reader] = Object(body.data?.['readers']).nodes;
        return reader.groups;
      };
      const first = await page(null);
      expect(first).toMatchObject({
        edges: [{ node: { groupId: 'g2', readerIds: ['r1', 'r2'] } }],
        pageInfo: { hasNextPage: true, hasPreviousPage: false },
        totalCount: 2,
      });
      expect(await page(first.pageInfo.endCursor)).toMatchObject({
        edges: [{ node: { groupId: 'g4' } }],
        pageInfo: { hasNextPage: false, hasPreviousPage: true },
        totalCount: 2,
      });
      const { body } = await send(
        '{ readers(emailContains: "reader1@") { nodes { readerId groups(after: "?") { totalCount } } } }',
      );
      expect(body.data).toEqual({ readers: { nodes: [{ readerId: 'r1', groups: null }] } });
      expect(body.errors).toEqual([
        expect.objectContaining({ extensions: expect.objectContaining({ code: 'VALIDATION_FAILED' }) }),
      ]);
    });

    it('lists groups over the five that a call of the service gives', async () => {
      const LIST =
        'query ($after: String) { readerGroups(first: 6, after: $after) { nodes { groupId } pageInfo { hasNextPage endCursor } } }';
      const first = await data(LIST);
      expect(first).toMatchObject({
        readerGroups: {
          nodes: ['g1', 'g2', 'g3', 'g4', 'g5', 'g6'].map((groupId) => ({ groupId })),
          pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
        },
      });
      const { pageInfo } = Groups.parse(first).readerGroups;
      expect(await data(LIST, { after: pageInfo.endCursor })).toMatchObject({
        readerGroups: { nodes: [{ groupId: 'g7' }], pageInfo: { hasNextPage: false } },
      });
    });

    it('lists readers, all or by a part of their address in any case', async () => {
      const answer = await data(`{
        all: readers(first: 3) { nodes { readerId } pageInfo { hasNextPage } }
        some: readers(emailContains: "EXAMPLE.ORG") { nodes { readerId } }
      }`);
      expect(answer).toEqual({
        all: { nodes: [{ readerId: 'r1' }, { readerId: 'r2' }, { readerId: 'r3' }], pageInfo: { hasNextPage: true } },
        some: { nodes: [{ readerId: 'r2' }, { readerId: 'r4' }, { readerId: 'r6' }] },
      });
    });

    it('lists invited people, in a group or not, all or by a part of their address', async () => {
      const LIST = `query ($after: String) {
        invitedSsoUsers(first: 2, after: $after) {
          nodes { invitationId email } pageInfo { hasNextPage hasPreviousPage endCursor }
        }
        some: invitedSsoUsers(emailContains: "FIRST@") { nodes { invitationId } }
      }`;
      const { invitedSsoUsers, some } = Object(await data(LIST));
      expect(invitedSsoUsers).toMatchObject({
        nodes: [{ invitationId: 'i1', email: 'first@example.net' }, { invitationId: 'i2' }],
        pageInfo: { hasNextPage: true, hasPreviousPage: false },
      });
      expect(some).toEqual({ nodes: [{ invitationId: 'i1' }] });
      expect(await data(LIST, { after: invitedSsoUsers.pageInfo.endCursor })).toMatchObject({
        invitedSsoUsers: {
          nodes: [{ invitationId: 'i3', email: 'third@example.net' }],
          pageInfo: { hasNextPage: false, hasPreviousPage: true },
        },
      });
      const { body } = await send(`{ invitedSsoUsers(emailContains: "${'x'.repeat(321)}") { totalCount } }`);
      expect(body.errors).toEqual([expect.objectContaining({ path: ['invitedSsoUsers'] })]);
    });
  });

  describe('nodes', () => {
    it('finds everything again by its global ID', async () => {
      const answer = await data(`{
        article(articleId: "a1", versionNumber: 1) { id category { id } projectVersion { id } }
        readerGroup(groupId: "g2") { id readers { nodes { id } } invitedSsoUsers { id } }
        teamAccounts(first: 1) { nodes { id } }
      }`);
      const found = JSON.stringify(answer).match(/(?<="id":")[^"]+/gu);
      const nodes = await data(
        `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Article { versionNumber } ... on Reader { readerId } ... on InvitedSsoUser { email } ... on TeamAccount { userId } } }`,
        { ids: found },
      );
      expect(nodes).toEqual({
        nodes: [
          { __typename: 'Article', id: found?.[0], versionNumber: 1 },
          { __typename: 'Category', id: found?.[1] },
          { __typename: 'ProjectVersion', id: found?.[2] },
          { __typename: 'ReaderGroup', id: found?.[3] },
          { __typename: 'Reader', id: found?.[4], readerId: 'r1' },
          { __typename: 'Reader', id: found?.[5], readerId: 'r2' },
          { __typename: 'InvitedSsoUser', id: found?.[6], email: 'first@example.net' },
          { __typename: 'TeamAccount', id: found?.[7], userId: STORE_ACCOUNT.user_id },
        ],
      });
    });

    it('refuses an ID that it did not give', async () => {
      const { body } = await send('{ node(id: "nonsense") { id } }');
      expect(body).toMatchObject({ data: { node: null }, errors: [{ extensions: { code: 'VALIDATION_FAILED' } }] });
    });
  });

  describe('a query without a valid token', () => {
    it.each([[{}], [{ api_token: 'wrong' }]])('is an error with code UNAUTHENTICATED: %j', async (headers) => {
      const { body } = await send('{ readerGroups { nodes { groupId } } __typename }', {}, headers);
      expect(body).toMatchObject({
        data: { readerGroups: null, __typename: 'Query' },
        errors: [{ path: ['readerGroups'], extensions: { code: 'UNAUTHENTICATED' } }],
      });
    });

    it.each([[{ 'x-api-token': 'token' }], [{ authorization: 'Bearer token' }]])(
      'accepts the token as %j',
      async (headers) => {
        const { body } = await send('{ projectVersions { name } }', {}, headers);
        expect(body).toEqual({ data: { projectVersions: [{ name: 'v1' }, { name: 'v2' }] } });
      },
    );
  });
}
