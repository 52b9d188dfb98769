import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ArticleCountDocument,
  ArticleTitleDocument,
  GroupTitlesDocument,
  RetitleDocument,
} from '../../support/generated/operations.ts';
import { ask, type RunningGateway, runGateway, startGatewayProcess } from '../../support/process.ts';

const FIXTURE = resolve('test/fixtures/knowledge-base.json');

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-import-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const importFile = (file: string, settings = {}) => runGateway(['import', file], { cwd, settings });

/** The cells of the line that the summary has for something. */
const cells = (summary: string, name: string): readonly string[] | undefined =>
  new RegExp(`^${name} +(\\d+) +(\\d+)$`, 'mu').exec(summary)?.slice(1);

async function groupTitles(settings = {}): Promise<readonly string[]> {
  const gateway = await startGatewayProcess({ cwd, settings });
  const { readerGroups } = await ask(gateway, GroupTitlesDocument, {});
  await gateway.stop();
  return readerGroups?.nodes.map(({ title }) => title) ?? [];
}

async function groupsOfFixture(): Promise<readonly string[]> {
  const { reader_groups } = JSON.parse(await readFile(FIXTURE, 'utf8'));
  return reader_groups.map(({ title }: { title: string }) => title);
}

describe('import', () => {
  it('loads a knowledge base and counts what was added, with no bar where there is no terminal', async () => {
    const { code, stdout, stderr } = await importFile(FIXTURE);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(cells(stdout, 'articles')).toEqual(['7', '0']);
    expect(cells(stdout, 'reader groups')).toEqual(['7', '0']);
  });

  it('leaves what is there as it is', async () => {
    await importFile(FIXTURE);
    const { code, stdout } = await importFile(FIXTURE);
    expect(code).toBe(0);
    expect(cells(stdout, 'articles')).toEqual(['0', '7']);
  });

  it('never adds the demo, which serve then does not add either', async () => {
    await importFile(FIXTURE);
    expect([...(await groupTitles())].sort()).toEqual([...(await groupsOfFixture())].sort());
  });

  it('names a variable that is no setting', async () => {
    const { code, stderr } = await importFile(FIXTURE, { DATABSE_URL: 'sqlite:own.db' });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'kb-gateway: DATABSE_URL is no setting and has no effect: is DATABASE_URL meant?\n',
    });
  });
});

const articleCount = async (gateway: RunningGateway): Promise<number | null | undefined> =>
  (await ask(gateway, ArticleCountDocument, {})).articles?.totalCount;

describe('import beside a gateway that serves the demo', () => {
  it('makes what was imported what a query shows', async () => {
    const gateway = await startGatewayProcess({ cwd });
    const { code, stdout } = await importFile(FIXTURE);
    expect(code).toBe(0);
    expect(stdout).toContain('\nThe demo was removed: nobody had changed it.\n');
    expect(stdout).toContain('\nThe default project version is now v1 (pv1).\n');
    expect(await articleCount(gateway)).toBe(6);
    const again = await importFile(FIXTURE);
    expect(again.stdout).not.toContain('The demo');
    expect(cells(again.stdout, 'articles')).toEqual(['0', '7']);
    expect(await articleCount(gateway)).toBe(6);
    await gateway.stop();
  });

  it('leaves a demo that was changed, and makes what was imported the default', async () => {
    const gateway = await startGatewayProcess({ cwd });
    const { demoArticle: articleId } = gateway;
    await ask(gateway, RetitleDocument, { articles: [{ articleId, title: 'Hello, gateway' }] });
    const { stdout } = await importFile(FIXTURE);
    expect(stdout).toContain('\nThe demo stays beside it, because somebody has changed it.\n');
    expect(stdout).toContain('\nThe default project version is now v1 (pv1).\n');
    expect(await articleCount(gateway)).toBe(6);
    const { article } = await ask(gateway, ArticleTitleDocument, { articleId });
    expect(article?.title).toBe('Hello, gateway');
    await gateway.stop();
  });
});

describe('import of a broken file', () => {
  it('names the place and makes no store', async () => {
    const knowledgeBase = JSON.parse(await readFile(FIXTURE, 'utf8'));
    knowledgeBase.articles[3].versions[0].title = 7;
    await writeFile(join(cwd, 'broken.json'), JSON.stringify(knowledgeBase));
    const { code, stdout, stderr } = await importFile('broken.json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^kb-gateway: nothing was imported from broken\.json:\n.*articles.*3.*versions.*0.*title.*\n$/u,
    );
    expect(await readdir(cwd)).toEqual(['broken.json']);
  });

  it('changes nothing in a store that is there', async () => {
    await importFile(FIXTURE);
    const knowledgeBase = JSON.parse(await readFile(FIXTURE, 'utf8'));
    knowledgeBase.reader_groups.push({ ...knowledgeBase.reader_groups[0], reader_group_id: 'new', title: 'New' });
    knowledgeBase.reader_groups.push({ ...knowledgeBase.reader_groups[0], reader_group_id: 'bad', title: 7 });
    await writeFile(join(cwd, 'broken.json'), JSON.stringify(knowledgeBase));
    expect((await importFile('broken.json')).code).toBe(1);
    expect([...(await groupTitles())].sort()).toEqual([...(await groupsOfFixture())].sort());
  });

  it.each([
    ['missing.json', null],
    ['text.json', 'no JSON'],
    ['broken.json.gz', 'not compressed'],
  ])('tells for %s that it cannot be read', async (name, content) => {
    if (content !== null) await writeFile(join(cwd, name), content);
    const { code, stdout, stderr } = await importFile(name);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^kb-gateway: nothing was imported from .+:\nthe file .+\n$/u);
    expect(stderr).toContain(name);
  });

  it('stops at a store that would end with the command', async () => {
    const { code, stderr } = await importFile(FIXTURE, { DATABASE_URL: 'sqlite::memory:' });
    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL=sqlite::memory: names a store that ends with this command');
  });

  it('stops at a wrong setting', async () => {
    const { code, stderr } = await importFile(FIXTURE, { DATABASE_URL: 'mysql://localhost/kb' });
    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL');
  });
});
