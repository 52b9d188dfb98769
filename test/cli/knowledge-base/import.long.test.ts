import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArticleCountDocument, GroupTitlesDocument } from '../../support/generated/operations.ts';
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
  it('makes a store of its own, which the next start serves with the same token', async () => {
    const gateway = await startGatewayProcess({ cwd });
    const demoCount = await articleCount(gateway);
    expect((await readdir(join(cwd, 'data'))).filter((name) => name.endsWith('.db'))).toEqual(['demo.db']);
    const { code, stdout } = await importFile(FIXTURE);
    expect(code).toBe(0);
    expect(stdout).toContain('\nThe default project version is now v1 (pv1).\nIt is in data/kb.db. A gateway that');
    expect(await articleCount(gateway)).toBe(demoCount);
    await gateway.stop();
    const next = await startGatewayProcess({ cwd });
    expect([next.token, await articleCount(next)]).toEqual([gateway.token, 6]);
    await next.stop();
  });

  it('leaves the demo of a named database beside it, as articles like others', async () => {
    const settings = { DATABASE_URL: 'sqlite:named.db' };
    const gateway = await startGatewayProcess({ cwd, settings });
    const demoCount = await articleCount(gateway);
    expect(await importFile(FIXTURE, settings)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nThe default project version is now Fernlight 2 \(fernlight-2\)\.\n$/u),
    });
    expect(await articleCount(gateway)).toBe(demoCount);
    await gateway.stop();
    expect(await groupTitles(settings)).toEqual(expect.arrayContaining([...(await groupsOfFixture())]));
  });

  it('gets no demo into a store of its own that is empty', async () => {
    await writeFile(join(cwd, 'empty.json'), '{}');
    expect(await importFile('empty.json')).toMatchObject({ code: 0 });
    expect(await groupTitles()).toEqual([]);
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
