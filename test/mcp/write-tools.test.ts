import { describe, expect, it, onTestFinished } from 'vitest';
import { err } from '../../src/core/base/result.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { unavailable } from '../../src/core/errors.ts';
import { jobsClient } from '../graphql/schema/jobs-client.ts';
import { clientsOf } from '../server/auth/harness.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { bearer, openJwtIssuer } from '../support/jwt-issuer.ts';
import { callTool, codesOf, connectTo, openMcpGateway, openMcpScene, tokenOf } from './mcp-client.ts';

const MINUTE_MS = 60_000;

const UPDATE = {
  articles: [
    { articleId: 'a1', title: 'Renamed' },
    { articleId: 'a2', title: 'Renamed, too' },
  ],
};

const GROUP = { input: { groupId: 'g1', description: 'Waits' } };

const PUBLISH = `mutation {
  publishArticles(input: { articles: [{ articleId: "a1" }], userId: "embedded-store" }) { __typename } }`;

const SCOPE_AS_SENT = { level: 'PROJECT', categories: '', projectVersionIds: null, languages: '' };

const nobodies = (count: number) => Array.from({ length: count }, (_, index) => `nobody-${index}`);

const articles = (items: readonly object[]) => ({ tool: 'preview_article_updates', args: { articles: items } });

const newArticle = (content: string) => ({
  tool: 'preview_new_articles',
  args: {
    articles: [{ title: 'New', projectVersionId: 'pv1', categoryId: 'c1', content }],
    userId: 'embedded-store',
  },
});

const rewritten = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({ articleId: `a${index + 1}`, content: 'x'.repeat(length) }));

const group = (update: object) => ({
  tool: 'preview_reader_group_update',
  args: { input: { groupId: 'g1', ...update } },
});

/** Previews that can be shown whole, with more than the most of a text or a list of other results. */
const LONG = [
  articles([{ articleId: 'a1', content: 'x'.repeat(200_000) }]),
  articles(rewritten(5, 40_000)),
  newArticle('x'.repeat(200_000)),
  group({ description: 'x'.repeat(200_000) }),
  group({ readerIds: nobodies(1_000) }),
];

/** Previews of which something is cut: a single text, texts together, or items of a list. */
const TOO_LONG = [
  { what: 'a long text', unit: 'characters', ...articles([{ articleId: 'a1', content: 'x'.repeat(300_000) }]) },
  { what: 'long texts', unit: 'characters', ...articles(rewritten(2, 130_000)) },
  { what: 'many items', unit: 'items', ...articles(rewritten(5, 130_000)) },
  { what: 'a long text', unit: 'characters', ...newArticle('x'.repeat(300_000)) },
  { what: 'a long text', unit: 'characters', ...group({ description: 'x'.repeat(300_000) }) },
  { what: 'many members', unit: 'items', ...group({ readerIds: nobodies(9_000) }) },
  { what: 'many invitations', unit: 'items', ...group({ invitedSsoUserIds: nobodies(9_000) }) },
];

const INVALID = 'VALIDATION_FAILED';

const names = ({ tools }: { tools: readonly { name: string }[] }) => tools.map(({ name }) => name).slice(8);

describe('the tools of MCP for writes', () => {
  it('are offered as far as MCP_WRITES says, with the right annotations', async () => {
    const previews = [
      'preview_article_updates',
      'preview_new_articles',
      'preview_new_categories',
      'preview_publish_articles',
      'preview_unpublish_articles',
      'preview_reader_group_update',
    ];
    expect(names(await openMcpScene())).toEqual([]);
    expect(names(await openMcpScene({ mcpWrites: 'preview' }))).toEqual([...previews, 'preview_article_job_revert']);
    const { tools } = await openMcpScene({ mcpWrites: 'on' });
    const writes = [
      'update_articles',
      'create_articles',
      'create_categories',
      'publish_articles',
      'unpublish_articles',
      'update_reader_group',
      'revert_article_job',
    ];
    expect(names({ tools })).toEqual([...previews, 'preview_article_job_revert', ...writes]);
    expect(tools.slice(8).map(({ annotations }) => annotations)).toMatchObject([
      ...[...previews, 'preview_article_job_revert'].map(() => ({ readOnlyHint: true, destructiveHint: false })),
      ...writes.map((name) => ({
        ...{ readOnlyHint: false, destructiveHint: !name.startsWith('create_') },
        ...{ idempotentHint: true, openWorldHint: false },
      })),
    ]);
    // A preview that is added here belongs into the tests of long previews, too, unless its items are short.
    const ofTexts = previews.filter((name) => !/publish|categories/u.test(name));
    expect([...new Set(TOO_LONG.map(({ tool }) => tool))]).toEqual(ofTexts);
    const update = tools.find(({ name }) => name === 'update_articles');
    expect(update?.inputSchema.required).toEqual(['articles', 'previewToken']);
  });

  it('create what was previewed, once', async () => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    const { tool, args } = newArticle('Text');
    const preview = await callTool(client, tool, args);
    expect(preview.result).toMatchObject({
      previewCreateArticles: {
        summary: { total: 1, created: 1, failing: 0 },
        results: [{ title: 'New', content: 'Text', category: { categoryId: 'c1' }, languageCode: 'en' }],
      },
    });
    const create = () => callTool(client, 'create_articles', { ...args, previewToken: tokenOf(preview) });
    const created = await create();
    expect(created.result).toMatchObject({
      createArticles: {
        replayed: false,
        results: [{ __typename: 'ArticleCreated', title: 'New', evidence: 'ANSWER' }],
      },
    });
    const { articleId } = Object(created.result).createArticles.results[0];
    expect((await callTool(client, 'read_article', { articleId })).result).toMatchObject({
      article: { content: 'Text' },
    });
    await create();
    const found = await callTool(client, 'find_articles', { categoryId: 'c1', text: 'New' });
    expect(found.result).toMatchObject({ articles: { nodes: [{ articleId }], totalCount: 1 } });
  });

  it('put back what a job changed, as its preview has shown', async () => {
    const { gateway, client } = await openMcpScene({ mcpWrites: 'on' });
    const jobs = jobsClient(gateway);
    const { job } = await jobs.submit('kept', { articles: [{ articleId: 'a1', title: 'New' }], keepBefore: 'ALWAYS' });
    await jobs.untilDone(job.id);
    const args = { id: job.id };
    const preview = await callTool(client, 'preview_article_job_revert', args);
    expect(preview.result).toMatchObject({
      previewRevertArticleUpdateJob: {
        summary: { total: 1, restorable: 1, notRestorable: 0 },
        items: {
          nodes: [{ articleId: 'a1', members: [{ name: 'TITLE', before: 'a1 en 2', asLeft: 'New', now: 'New' }] }],
        },
      },
    });
    expect((await callTool(client, 'revert_article_job', args)).isError).toBe(true);
    const revert = () => callTool(client, 'revert_article_job', { ...args, previewToken: tokenOf(preview) });
    const { job: begun } = Object((await revert()).result).revertArticleUpdateJob;
    await jobs.untilDone(begun.id);
    expect((await revert()).result).toMatchObject({
      revertArticleUpdateJob: { replayed: true, job: { done: true, summary: { total: 1, updated: 1 } } },
    });
    const { result } = await callTool(client, 'read_article', { articleId: 'a1' });
    expect(result).toMatchObject({ article: { title: 'a1 en 2' } });
  });

  it('fork what is published, where they are told to', async () => {
    const { gateway, client } = await openMcpScene({ mcpWrites: 'on' });
    await gateway.send(PUBLISH);
    const shown = async () => Object((await callTool(client, 'read_article', { articleId: 'a1' })).result).article;
    const before = await shown();
    const args = { articles: [{ articleId: 'a1', title: 'Draft' }], ifPublished: 'FORK', userId: 'embedded-store' };
    const alone = await callTool(client, 'preview_article_updates', { ...args, userId: '' });
    expect(alone.result).toMatchObject({ previewBulkUpdateArticles: { issues: [{ path: ['input', 'userId'] }] } });
    const preview = await callTool(client, 'preview_article_updates', args);
    expect(preview.result).toMatchObject({
      previewBulkUpdateArticles: { results: [{ isPublished: true, wouldFork: true }] },
    });
    // The token is for these arguments alone.
    const previewToken = tokenOf(preview);
    const others = [{ ifPublished: 'UPDATE' }, { userId: 'nobody' }];
    for (const other of others)
      expect(codesOf(await callTool(client, 'update_articles', { ...args, ...other, previewToken }))).toEqual([
        INVALID,
      ]);
    const written = await callTool(client, 'update_articles', { ...args, previewToken });
    const draftVersionNumber = before.versionNumber + 1;
    expect(written.result).toMatchObject({
      bulkUpdateArticles: { results: [{ __typename: 'ArticleUpdated', draftVersionNumber }] },
    });
    expect(await shown()).toMatchObject({
      title: 'Draft',
      latestVersionNumber: draftVersionNumber,
      publicVersionNumber: before.versionNumber,
    });
  });

  it.each([
    { how: 'forked', told: { userId: 'embedded-store' }, summary: { updated: 1 }, newVersions: 1 },
    { how: 'left as it is', told: {}, summary: { notAttempted: 1 }, newVersions: 0 },
    { how: 'changed in place', told: { ifPublished: 'UPDATE' }, summary: { updated: 1 }, newVersions: 0 },
  ])('put back a published article, which is $how with $told', async ({ told, summary, newVersions }) => {
    const { gateway, client } = await openMcpScene({ mcpWrites: 'on' });
    await gateway.send(PUBLISH);
    const jobs = jobsClient(gateway);
    const { job } = await jobs.submit('kept', { articles: [{ articleId: 'a1', title: 'New' }], keepBefore: 'ALWAYS' });
    await jobs.untilDone(job.id);
    const args = { id: job.id, ...told };
    const preview = await callTool(client, 'preview_article_job_revert', args);
    const previewToken = tokenOf(preview);
    const otherwise = { ...args, ifPublished: 'SKIP', previewToken };
    expect(codesOf(await callTool(client, 'revert_article_job', otherwise))).toEqual([INVALID]);
    const { result } = await callTool(client, 'revert_article_job', { ...args, previewToken });
    const revert = Object(result).revertArticleUpdateJob.job;
    expect((await jobs.untilDone(revert.id)).summary).toMatchObject(summary);
    const { article } = Object((await callTool(client, 'read_article', { articleId: 'a1' })).result);
    expect(article.latestVersionNumber - article.publicVersionNumber).toBe(newVersions);
  });

  it('take items as clients send them, and leave alone what these fill with nothing', async () => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    const filled = { languageCode: '', content: '', categoryId: null, hidden: null, order: '', ifRevision: '' };
    const item = { articleId: 'a1', title: 'Renamed', ...filled };
    const sent = [[item], [JSON.stringify(item)], item, JSON.stringify(item), JSON.stringify([item])];
    for (const articles of sent) {
      const preview = await callTool(client, 'preview_article_updates', { articles, ifPublished: '', userId: null });
      expect(preview.result).toMatchObject({
        previewBulkUpdateArticles: { results: [{ changes: [{ field: 'TITLE', to: 'Renamed' }] }] },
      });
      // The write may be sent in another form than its preview.
      const args = { articles: [{ articleId: 'a1', title: 'Renamed' }], previewToken: tokenOf(preview) };
      if (articles === sent.at(-1)) expect((await callTool(client, 'update_articles', args)).isError).toBe(false);
    }
    const input = { groupId: 'g1', title: 'Other', description: null, readerIds: '["r1"]', accessScope: SCOPE_AS_SENT };
    const preview = await callTool(client, 'preview_reader_group_update', { input: JSON.stringify(input) });
    expect(preview.result).toMatchObject({
      previewUpdateReaderGroup: {
        changes: expect.not.arrayContaining([expect.objectContaining({ field: 'DESCRIPTION' })]),
        addedReaderIds: ['r1'],
        accessScope: { scopeLevel: 'PROJECT' },
      },
    });
    const nothing = await callTool(client, 'preview_article_updates', { articles: [{ articleId: 'a1', content: '' }] });
    expect(nothing.result).toMatchObject({
      previewBulkUpdateArticles: { warnings: [{ code: 'ITEM_CHANGES_NOTHING' }] },
    });
  });

  it('give no token for a preview where no write can take it', async () => {
    const { client } = await openMcpScene({ mcpWrites: 'preview' });
    const { result, isError } = await callTool(client, 'preview_article_updates', UPDATE);
    expect([isError, Object.keys(result)]).toEqual([false, ['previewBulkUpdateArticles']]);
  });

  it('write what was previewed, and tell the outcome of each article', async () => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    const preview = await callTool(client, 'preview_article_updates', UPDATE);
    expect(preview.result).toMatchObject({
      previewBulkUpdateArticles: {
        summary: { changed: 2, failing: 0 },
        results: [{ changes: [{ field: 'TITLE', from: 'a1 en 2', to: 'Renamed' }] }, { wouldSucceed: true }],
      },
    });
    expect((await callTool(client, 'read_article', { articleId: 'a1' })).result).toMatchObject({
      article: { title: 'a1 en 2' },
    });
    const written = await callTool(client, 'update_articles', { ...UPDATE, previewToken: tokenOf(preview) });
    expect([written.isError, written.result]).toMatchObject([
      false,
      { bulkUpdateArticles: { results: [{ __typename: 'ArticleUpdated' }, { __typename: 'ArticleUpdated' }] } },
    ]);
    expect((await callTool(client, 'read_article', { articleId: 'a1' })).result).toMatchObject({
      article: { title: 'Renamed' },
    });
  });

  it('do not overwrite what somebody has changed since the preview', async () => {
    const { gateway, client } = await openMcpScene({ mcpWrites: 'on' });
    const change = (fields: string) => gateway.send(`mutation { ${fields} { __typename } }`);
    const title = (text: string) =>
      change(`bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "${text}" }] })`);
    await title('Seen');
    const previews = [
      await callTool(client, 'preview_article_updates', UPDATE),
      await callTool(client, 'preview_reader_group_update', GROUP),
    ] as const;
    await title('Changed by a colleague');
    await change('updateReaderGroup(input: { groupId: "g1", title: "Changed by a colleague" })');
    const [updated, group] = [
      await callTool(client, 'update_articles', { ...UPDATE, previewToken: tokenOf(previews[0]) }),
      await callTool(client, 'update_reader_group', { ...GROUP, previewToken: tokenOf(previews[1]) }),
    ];
    expect([updated.result, group.result]).toMatchObject([
      {
        bulkUpdateArticles: {
          results: [
            { articleId: 'a1', reason: 'CHANGED_SINCE' },
            { __typename: 'ArticleUpdated', articleId: 'a2' },
          ],
        },
      },
      { updateReaderGroup: { __typename: 'ChangedSinceError', code: 'CHANGED_SINCE' } },
    ]);
    expect((await callTool(client, 'read_article', { articleId: 'a1' })).result).toMatchObject({
      article: { title: 'Changed by a colleague' },
    });
  });

  it('publish and unpublish what was previewed', async () => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    const args = { articles: [{ articleId: 'a1' }, { articleId: 'a2' }], userId: 'embedded-store', message: 'Ready' };
    const run = async (verb: string) => {
      const preview = await callTool(client, `preview_${verb}_articles`, args);
      const written = await callTool(client, `${verb}_articles`, { ...args, previewToken: tokenOf(preview) });
      return [preview.result, written.result];
    };
    for (const [verb, name, publication] of [
      ['publish', 'Publish', 'PUBLISHED'],
      ['unpublish', 'Unpublish', 'UNPUBLISHED'],
    ] as const) {
      expect(await run(verb)).toMatchObject([
        {
          [`preview${name}Articles`]: {
            summary: { changed: 2, failing: 0 },
            results: [{ changes: [{ field: 'STATUS' }, { field: 'PUBLIC_VERSION_NUMBER' }] }, { wouldSucceed: true }],
          },
        },
        {
          [`${verb}Articles`]: {
            results: [
              { __typename: 'ArticleUpdated', publication },
              { __typename: 'ArticleUpdated', publication },
            ],
          },
        },
      ]);
    }
  });

  it('write once with a token, also at the same time, and then only repeat the answer', async () => {
    const { client, gateway } = await openMcpScene({ mcpWrites: 'on' });
    const args = { ...GROUP, previewToken: tokenOf(await callTool(client, 'preview_reader_group_update', GROUP)) };
    const both = await Promise.all([1, 2].map(() => callTool(client, 'update_reader_group', args)));
    expect(both.map(({ isError, notes }) => [isError, notes.length]).sort()).toEqual([
      [false, 0],
      [false, 1],
    ]);
    await gateway.send('mutation { updateReaderGroup(input: { groupId: "g1", description: "Later" }) { __typename } }');
    const again = await callTool(client, 'update_reader_group', args);
    expect(again).toMatchObject({
      isError: false,
      notes: [expect.stringContaining('was used before, so that this call wrote nothing')],
      result: { updateReaderGroup: { __typename: 'UpdateReaderGroupPayload', replayed: true } },
    });
    const group = await callTool(client, 'read_reader_group', { groupId: 'g1' });
    expect(group.result).toMatchObject({ readerGroup: { description: 'Later' } });
  });

  it('refuse a token of another input or tool, one that nobody gave, and none', async () => {
    const gateway = await openMcpGateway({ mcpWrites: 'on' });
    const client = await connectTo(gateway.url, { api_token: TOKEN });
    const token = tokenOf(await callTool(client, 'preview_article_updates', UPDATE));
    const groupToken = tokenOf(await callTool(client, 'preview_reader_group_update', GROUP));
    const [first] = UPDATE.articles;
    const refused = [
      { ...UPDATE },
      { ...UPDATE, previewToken: 7 },
      { ...UPDATE, previewToken: 'kbp_' },
      { ...UPDATE, previewToken: `kbp_${'A'.repeat(32)}` },
      { ...UPDATE, previewToken: groupToken },
      { articles: [first], previewToken: token },
      { articles: [...UPDATE.articles].reverse(), previewToken: token },
    ];
    for (const args of refused) {
      const answer = await callTool(client, 'update_articles', args);
      expect([answer.isError, codesOf(answer)]).toEqual([true, [INVALID]]);
      expect(answer.result).toMatchObject({ errors: [{ mayHaveApplied: false }] });
    }
    const article = await callTool(client, 'read_article', { articleId: 'a1' });
    expect(article.result).toMatchObject({ article: { title: 'a1 en 2' } });
    expect((await callTool(client, 'update_articles', { ...UPDATE, previewToken: token })).isError).toBe(false);
  });

  it.each([
    ['an article that does not exist', { articleId: 'none', content: 'Never shown' }],
    ['a category that does not exist', { articleId: 'a1', content: 'Never shown', categoryId: 'none' }],
  ])('get no token for a change of %s, which the preview does not show', async (_what, item) => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    const articles = [{ articleId: 'a2', title: 'Shown' }, item];
    const preview = await callTool(client, 'preview_article_updates', { articles });
    expect(JSON.stringify(preview.result)).not.toContain('Never shown');
    expect([preview.isError, codesOf(preview), preview.result['previewToken']]).toEqual([
      false,
      ['LIMIT_EXCEEDED'],
      undefined,
    ]);
  });

  it('refuse a token after ten minutes', async () => {
    let now = Date.now();
    const { client } = await openMcpScene({ mcpWrites: 'on', mcpClock: { now: () => now } });
    const preview = await callTool(client, 'preview_article_updates', UPDATE);
    expect(preview.result['previewTokenExpiresAt']).toBe(new Date(now + 10 * MINUTE_MS).toISOString());
    const write = () => callTool(client, 'update_articles', { ...UPDATE, previewToken: tokenOf(preview) });
    now += 10 * MINUTE_MS;
    expect(await write()).toMatchObject({
      isError: true,
      result: { errors: [{ message: expect.stringContaining('ten minutes') }] },
    });
    now -= 1;
    expect((await write()).isError).toBe(false);
    now += 1;
    // The write was made, so that nobody may be told that there was none.
    expect((await write()).result).toMatchObject({
      errors: [{ message: expect.stringMatching(/may have written.*This call wrote nothing/u) }],
    });
  });

  it('write no more than 100 articles', async () => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    const articles = Array.from({ length: 101 }, () => ({ articleId: 'a1', title: 'x' }));
    expect(codesOf(await callTool(client, 'preview_article_updates', { articles }))).toEqual(['BAD_USER_INPUT']);
    const most = await callTool(client, 'preview_article_updates', { articles: articles.slice(1) });
    const { result } = await callTool(client, 'update_articles', {
      articles: articles.slice(1),
      previewToken: tokenOf(most),
    });
    expect(result).toMatchObject({ bulkUpdateArticles: { summary: { total: 100, updated: 100 } } });
    expect(result['truncated']).toBeUndefined();
  });

  it('show long previews whole, and give a token for them', async () => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    for (const { tool, args } of LONG) {
      const preview = await callTool(client, tool, args);
      expect([preview.isError, preview.result['truncated']]).toEqual([false, undefined]);
      expect(tokenOf(preview)).toMatch(/^kbp_/u);
    }
  });

  it.each(TOO_LONG)('give no token for a preview by $tool with $what', async ({ tool, args, unit }) => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    const preview = await callTool(client, tool, args);
    expect([preview.isError, codesOf(preview)]).toEqual([false, ['LIMIT_EXCEEDED']]);
    expect(preview.result['previewToken']).toBeUndefined();
    expect(preview.result['truncated']).toContainEqual(expect.objectContaining({ unit }));
    expect(JSON.stringify(preview.result).length).toBeLessThan(1_000_000);
  });

  it('give no token for a preview of which a part could not be read', async () => {
    const backend = await openFixtureStore();
    const readers = async (_caller: Caller, keys: readonly string[]) => keys.map(() => err(unavailable('Not now.')));
    const { client } = await openMcpScene({ backend: { ...backend, readers }, mcpWrites: 'on' });
    const preview = await callTool(client, 'preview_reader_group_update', { input: { groupId: 'g2', readerIds: [] } });
    expect(preview.result).toMatchObject({ previewUpdateReaderGroup: { removedReaders: null } });
    expect(codesOf(preview)).toEqual(['UNAVAILABLE', 'LIMIT_EXCEEDED']);
    expect(preview.result['previewToken']).toBeUndefined();
  });

  it('tell what is wrong with an input as the mutation does, and give no token for it', async () => {
    const { client } = await openMcpScene({ mcpWrites: 'on' });
    const empty = await callTool(client, 'preview_article_updates', { articles: [] });
    expect([empty.isError, empty.result]).toMatchObject([
      true,
      { previewBulkUpdateArticles: { __typename: 'ValidationError', issues: [{ path: ['input', 'articles'] }] } },
    ]);
    expect(empty.result['previewToken']).toBeUndefined();
    const two = { input: { groupId: 'g1', accessScope: { level: 'PROJECT', projectVersionIds: ['pv1'] } } };
    expect(codesOf(await callTool(client, 'preview_reader_group_update', two))).toEqual(['BAD_USER_INPUT']);
  });
});

describe('the tools of MCP for clients with a JWT', () => {
  const openScene = async () => {
    const issuer = await openJwtIssuer();
    onTestFinished(() => issuer.close());
    const clients = await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: TOKEN });
    const gateway = await openMcpGateway({ clients, mcpWrites: 'on' });
    const connect = async (claims: Readonly<Record<string, unknown>>) => {
      const client = await connectTo(gateway.url, bearer(await issuer.sign(claims)));
      const { tools } = await client.listTools();
      return { client, tools };
    };
    return { gateway, connect };
  };

  it('are those that its scopes permit', async () => {
    const { connect } = await openScene();
    expect(names(await connect({ scope: 'read' }))).toEqual([]);
    expect(names(await connect({ scope: 'read groups:write' }))).toEqual([
      'preview_reader_group_update',
      'update_reader_group',
    ]);
    const { client, tools } = await connect({ scope: 'articles:write' });
    expect(tools.map(({ name }) => name)).toEqual([
      'update_articles',
      'create_articles',
      'create_categories',
      'revert_article_job',
    ]);
    for (const name of ['find_articles', 'preview_article_updates', 'update_reader_group'])
      expect(codesOf(await callTool(client, name, name === 'find_articles' ? {} : UPDATE))).toEqual(['FORBIDDEN']);
  });

  it('give tokens that serve one subject only', async () => {
    const { connect } = await openScene();
    const scope = 'read articles:write';
    const [alice, bob, nobody] = [
      await connect({ scope, sub: 'alice' }),
      await connect({ scope, sub: 'bob' }),
      await connect({ scope, sub: undefined }),
    ];
    const previewToken = tokenOf(await callTool(alice.client, 'preview_article_updates', UPDATE));
    const stolen = await callTool(bob.client, 'update_articles', { ...UPDATE, previewToken });
    expect([stolen.isError, codesOf(stolen)]).toEqual([true, [INVALID]]);
    expect((await callTool(alice.client, 'update_articles', { ...UPDATE, previewToken })).isError).toBe(false);
    const unnamed = await callTool(nobody.client, 'preview_article_updates', UPDATE);
    expect([unnamed.isError, codesOf(unnamed), unnamed.result['previewToken']]).toEqual([
      false,
      ['FORBIDDEN'],
      undefined,
    ]);
  });
});
