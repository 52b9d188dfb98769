import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { OFFERED_TOOLS } from '../../src/mcp/tools.ts';
import { callTool, codesOf, openMcpScene } from './mcp-client.ts';

const READ_TOOLS = [
  'find_articles',
  'read_article',
  'list_article_versions',
  'list_project_versions',
  'list_categories',
  'list_reader_groups',
  'read_reader_group',
  'find_readers',
];

const LONG_TEXT = `${'a'.repeat(19_999)}😀${'b'.repeat(20_005)}`;

const SET_TEXT = `mutation ($content: String!, $title: String) {
  bulkUpdateArticles(input: { articles: [{ articleId: "a1", content: $content, title: $title }] }) { __typename } }`;

describe('the tools of MCP', () => {
  it('read only, unless writes are on, and say so', async () => {
    const { client, tools } = await openMcpScene();
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(tools.map(({ name }) => name)).toEqual(READ_TOOLS);
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
  });

  it('describe each argument, and permit no other', async () => {
    const { tools } = await openMcpScene({ mcpWrites: 'on' });
    for (const { name, inputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      for (const property of Object.values(inputSchema.properties ?? {}))
        expect(property, name).toMatchObject({ description: expect.stringMatching(/\w/u) });
    }
    const find = tools.find(({ name }) => name === 'find_articles');
    expect(find?.inputSchema.properties?.['first']).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    });
    expect(find?.inputSchema.properties?.['orderBy']).toMatchObject({
      enum: ['ID', 'MODIFIED_AT', 'MODIFIED_AT_DESC', 'TITLE'],
    });
  });

  it('have schemas without unions, and documents that GraphQL finds valid', async () => {
    const { tools } = await openMcpScene({ mcpWrites: 'on' });
    const types = [...JSON.stringify(tools).matchAll(/"(?:anyOf|oneOf|type)":(.)/gu)].map(([, first]) => first);
    expect(new Set(types)).toEqual(new Set(['"']));
    const schema = createSchema();
    for (const { name, document } of OFFERED_TOOLS.on) expect(validate(schema, parse(document)), name).toEqual([]);
  });

  it('take arguments as clients send them', async () => {
    const { client } = await openMcpScene();
    const ids = async (args: Record<string, unknown>) => {
      const { result } = await callTool(client, 'find_articles', args);
      return Object(result).articles.nodes.map(({ articleId }: { articleId: string }) => articleId);
    };
    const left = {
      projectVersionId: '',
      languageCode: null,
      categoryId: '',
      after: '',
      modifiedSince: '',
      orderBy: null,
    };
    expect(await ids({ ...left, first: '2', hidden: 'false' })).toEqual(await ids({ first: 2, hidden: false }));
    expect(await ids({ first: '', hidden: 'True' })).toEqual(await ids({ hidden: true }));
    const untranslated = await ids({ translationStatus: ['NONE'] });
    expect(untranslated.length).toBeGreaterThan(0);
    for (const translationStatus of ['NONE', '["NONE"]', '[ "NONE" ]'])
      expect(await ids({ translationStatus })).toEqual(untranslated);
    const { result } = await callTool(client, 'read_article', {
      articleId: 'a1',
      versionNumber: '1',
      contentOffset: '2',
    });
    expect(result).toMatchObject({ article: { versionNumber: 1 }, contentPage: { offset: 2 } });
  });

  it('find articles a page at a time', async () => {
    const { client } = await openMcpScene();
    const first = await callTool(client, 'find_articles', { projectVersionId: 'pv1', first: 2 });
    expect(first.result).toMatchObject({
      articles: { nodes: [{ articleId: 'a1' }, { articleId: 'a2' }], pageInfo: { hasNextPage: true } },
    });
    const { articles } = first.result as { articles: { pageInfo: { endCursor: string } } };
    const after = articles.pageInfo.endCursor;
    const next = await callTool(client, 'find_articles', { projectVersionId: 'pv1', first: 1, after });
    expect(next.result).toMatchObject({ articles: { nodes: [{ articleId: 'a3' }] } });
    const found = await callTool(client, 'find_articles', { text: 'a2', hidden: false });
    expect(found.result).toMatchObject({ articles: { nodes: [{ articleId: 'a2' }], totalCount: 1 } });
  });

  it('read an article, its versions, the categories, the groups and the readers', async () => {
    const { client } = await openMcpScene();
    const read = async (name: string, args: Record<string, unknown> = {}) =>
      (await callTool(client, name, args)).result;
    expect(await read('read_article', { articleId: 'a1', languageCode: 'de' })).toMatchObject({
      article: { title: expect.any(String), languageCode: 'de', projectVersion: { projectVersionId: 'pv1' } },
      contentPage: { offset: 0, nextOffset: null },
    });
    expect(await read('read_article', { articleId: 'none' })).toEqual({ article: null, contentPage: null });
    expect(await read('list_article_versions', { articleId: 'a1' })).toMatchObject({
      article: { versions: [{ versionNumber: 1 }, { versionNumber: 2 }] },
    });
    expect(await read('list_categories', { projectVersionId: 'pv1' })).toMatchObject({
      categories: [{ categoryId: 'c1', children: [{ categoryId: 'c3', children: [] }] }, { categoryId: 'c2' }],
    });
    expect(await read('list_project_versions')).toMatchObject({ projectVersions: [{ projectVersionId: 'pv1' }, {}] });
    expect(await read('list_reader_groups', { first: 2 })).toMatchObject({
      readerGroups: { nodes: [{ groupId: 'g1' }, { groupId: 'g2', accessScope: { level: 'CATEGORY' } }] },
    });
    expect(await read('read_reader_group', { groupId: 'g2', first: 1 })).toMatchObject({
      readerGroup: { readers: { nodes: [{ readerId: 'r1' }] } },
    });
    expect(await read('find_readers', { emailContains: 'reader1@' })).toMatchObject({
      readers: { nodes: [{ readerId: 'r1', groupIds: ['g2', 'g4'] }] },
    });
  });

  it('return a long text in pieces, and divide no character', async () => {
    const { client, gateway } = await openMcpScene();
    await gateway.send(SET_TEXT, { content: LONG_TEXT });
    let text = '';
    const offsets: unknown[] = [];
    for (let contentOffset: number | null = 0; contentOffset !== null; ) {
      const { result } = await callTool(client, 'read_article', { articleId: 'a1', contentOffset });
      const { article, contentPage } = result as {
        article: { content: string };
        contentPage: { nextOffset: number | null; totalLength: number };
      };
      expect(contentPage.totalLength).toBe(LONG_TEXT.length);
      text += article.content;
      contentOffset = contentPage.nextOffset;
      offsets.push(contentOffset);
    }
    expect(text).toBe(LONG_TEXT);
    expect(offsets).toEqual([19_999, 39_999, null]);
    const beyond = await callTool(client, 'read_article', { articleId: 'a1', contentOffset: 1_000_000 });
    expect(beyond.result).toMatchObject({ article: { content: '' }, contentPage: { nextOffset: null } });
  });

  it('cut other long texts, and tell where', async () => {
    const { client, gateway } = await openMcpScene();
    await gateway.send(SET_TEXT, { content: 'x', title: 't'.repeat(5_000) });
    const { result } = await callTool(client, 'find_articles', { first: 1 });
    expect(result).toMatchObject({
      articles: { nodes: [{ title: 't'.repeat(1_000) }] },
      truncated: [{ path: 'articles.nodes.0.title', unit: 'characters', kept: 1_000, total: 5_000 }],
    });
  });

  it('answer what GraphQL answers to wrong arguments, and name those that there are not', async () => {
    const { client } = await openMcpScene();
    const cases: readonly (readonly [string, Record<string, unknown>, string, string])[] = [
      ['find_articles', { first: 101 }, 'VALIDATION_FAILED', 'first must be from 1 to 100; it is 101.'],
      ['find_articles', { first: 'x' }, 'BAD_USER_INPUT', 'Int cannot represent'],
      ['find_articles', { first: '1.5' }, 'BAD_USER_INPUT', 'Int cannot represent'],
      ['find_articles', { hidden: '1' }, 'BAD_USER_INPUT', 'Boolean cannot represent'],
      ['find_articles', { status: '["NO"]' }, 'BAD_USER_INPUT', 'does not exist in "ArticleStatus" enum'],
      ['find_articles', { after: 'garbage' }, 'VALIDATION_FAILED', 'after'],
      ['find_articles', { firsd: 1 }, 'BAD_USER_INPUT', 'has no argument "firsd". Its arguments are'],
      ['read_article', {}, 'BAD_USER_INPUT', '$articleId'],
      ['read_article', { articleId: null }, 'BAD_USER_INPUT', '$articleId'],
      ['read_article', { articleId: 'a1', contentOffset: '1.5' }, 'BAD_USER_INPUT', 'contentOffset must be'],
      ['read_article', { articleId: 'a1', contentOffset: -1 }, 'BAD_USER_INPUT', 'contentOffset must be'],
      ['list_project_versions', { constructor: 1 }, 'BAD_USER_INPUT', 'has no argument "constructor". It has none.'],
    ];
    for (const [name, args, code, message] of cases) {
      const answer = await callTool(client, name, args);
      expect([answer.isError, codesOf(answer)]).toEqual([true, [code]]);
      expect(answer.result).toMatchObject({ errors: [{ message: expect.stringContaining(message) }] });
    }
  });

  it('are not called by other names', async () => {
    const { client } = await openMcpScene();
    for (const name of ['update_articles', '__proto__', ''])
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow('There is no such tool');
  });
});
