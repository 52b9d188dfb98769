import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPassingProxy, type PassingProxy } from '../../support/passing-proxy.ts';
import { type RunningGateway, runGateway, spawnGateway, startGatewayProcess } from '../../support/process.ts';

const USER = 'team-ines';

/** A gateway over a store, or over the REST service of that gateway, through a proxy that may keep answers back. */
describe.each(['store', 'rest'] as const)('bulk-update of a folder over %s', (backend) => {
  let root: string;
  let cwd: string;
  let store: RunningGateway;
  let gateway: RunningGateway;
  /** Before the gateway, and before the service. */
  let door: PassingProxy;
  let service: PassingProxy;
  let url: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kb-gateway-bulk-folder-'));
    await Promise.all(['store', 'rest'].map((name) => mkdir(join(root, name))));
    store = await startGatewayProcess({ cwd: join(root, 'store') });
    service = await openPassingProxy(new URL(store.url).origin);
    const settings = { UPSTREAM_URL: service.origin, UPSTREAM_TIMEOUT_MS: '5000' };
    gateway = backend === 'store' ? store : await startGatewayProcess({ cwd: join(root, 'rest'), settings });
    door = await openPassingProxy(new URL(gateway.url).origin);
    url = `${door.origin}/graphql`;
  });

  afterAll(async () => {
    await door.close();
    if (gateway !== store) await gateway.stop();
    await service.close();
    await store.stop();
    await rm(root, { recursive: true });
  });

  beforeEach(async () => {
    cwd = await mkdtemp(join(root, 'run-'));
    door.onAnswer(() => true);
    service.onAnswer(() => true);
  });

  async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(cwd, 'articles', dirname(path)), { recursive: true });
      await writeFile(join(cwd, 'articles', path), content);
    }
  }

  const settings = () => ({ KB_API_TOKEN: store.token, KB_GATEWAY_URL: url, XDG_STATE_HOME: join(cwd, 'state') });
  const argsOf = (args: readonly string[]) => ['bulk-update', 'articles', '--user', USER, ...args];
  const update = (...args: readonly string[]) => runGateway(argsOf(args), { cwd, settings: settings() });
  const file = (path: string) => readFile(join(cwd, 'articles', path), 'utf8');
  const idIn = async (path: string) => /^articleId: (\S+)/mu.exec(await file(path))?.[1] ?? '';

  /** The files of the state that the command keeps outside of the folder. */
  const keptState = async () => {
    const folders = join(cwd, 'state/kb-gateway/folders');
    const [folder = ''] = await readdir(folders);
    return readdir(join(folders, folder));
  };

  async function ask(query: string, variables: object = {}) {
    const headers = { 'content-type': 'application/json', 'x-api-token': store.token };
    const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const { data } = JSON.parse(await response.text());
    return data;
  }

  const read = async (articleId: string) =>
    (
      await ask(
        'query ($id: ID!) { article(articleId: $id) { title content status hidden order publicVersionNumber category { categoryId } } }',
        { id: articleId },
      )
    ).article;

  const idsWithTitle = async (title: string): Promise<readonly string[]> => {
    const { articles } = await ask('{ articles(first: 100) { nodes { articleId title } } }');
    return articles.nodes
      .filter((one: { title: string }) => one.title === title)
      .map((one: { articleId: string }) => one.articleId);
  };

  it('creates, updates and publishes, and writes the new IDs into the files, with every other byte as it was', async () => {
    const name = `Turn a sensor ${backend}`;
    await writeFiles({
      'turn.md': `# ${name}\r\n\r\nHold it.\r\n`,
      'lamps/_category_.yml': 'categoryId: first-steps\n',
      'lamps/reset.md':
        '\uFEFF---\ntitle: "Reset: all"\n# kept\nowner: docs\norder: 3\narticleId:   # to come\nhidden: true\n---\nPress.',
      'pair-a-lamp.md': '---\narticleId: pair-a-lamp\n---\n# Pair any lamp\n\nNew.\n',
    });
    await chmod(join(cwd, 'articles/turn.md'), 0o664);
    const preview = await update('--publish', '--preview');
    expect(preview).toMatchObject({ code: 0, stdout: expect.stringMatching(/^would be created +2$/mu) });
    expect(await idsWithTitle(name)).toEqual([]);
    // Over the service only a write finds an unknown account.
    if (backend === 'store')
      expect(await update('--user', 'nobody', '--publish', '--preview')).toMatchObject({
        code: 3,
        stdout: expect.stringMatching(/^turn\.md, .*: would fail: The user with id 'nobody' does not exist/mu),
      });

    const ended = await update('--publish', '--message', 'from a folder');
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^updated +3\n.*^published +3$/msu) });
    const [turn, reset] = [await idIn('turn.md'), await idIn('lamps/reset.md')];
    expect(await file('turn.md')).toBe(`---\r\narticleId: ${turn}\r\n---\r\n# ${name}\r\n\r\nHold it.\r\n`);
    expect((await stat(join(cwd, 'articles/turn.md'))).mode & 0o777).toBe(0o664);
    expect(await file('lamps/reset.md')).toBe(
      `\uFEFF---\ntitle: "Reset: all"\n# kept\nowner: docs\norder: 3\narticleId: ${reset}   # to come\nhidden: true\n---\nPress.`,
    );
    expect(await readdir(join(cwd, 'articles'))).toEqual(['lamps', 'pair-a-lamp.md', 'turn.md']);
    const published = { status: 'PUBLISHED', publicVersionNumber: 1 };
    expect(await read(turn)).toMatchObject({ ...published, title: name, content: 'Hold it.\n', category: null });
    expect(await read(reset)).toMatchObject({
      ...{ ...published, title: 'Reset: all', hidden: true, order: 3 },
      category: { categoryId: 'first-steps' },
    });
    expect(await read('pair-a-lamp')).toMatchObject({
      status: 'PUBLISHED',
      title: 'Pair any lamp',
      content: 'New.\n',
    });

    expect(await update('--publish', '--message', 'from a folder')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--resume'),
    });
    expect(await update('--publish', '--message', 'from a folder', '--resume')).toMatchObject({ code: 0 });
    expect(await idsWithTitle(name)).toEqual([turn]);
  });

  it('names every problem with its file and line, exits with 3 in a preview, and sends nothing', async () => {
    const before = await ask('{ articles(first: 100) { nodes { articleId } } }');
    await writeFiles({
      'a.md': '---\nslug: unpack-the-hub\n---\n# Unpack',
      'b.md': `---\norder: 2\ntitle: ${'T'.repeat(301)}\n---\nx`,
      'c.md': 'No title.',
      'd.md': '---\ntitle: D\ncategoryId: no-such-category\n---\nx',
      'e.md': '---\narticleId: no-such-article\n---\n# E\n',
      'f.md': '---\n{ title: F }\n---\nx',
      'g/d.md': '# D',
      'h.md': '---\nlanguageCode: de\n---\n# H',
      'i.md': '---\ntitle: I\nhidden: maybe\n---\n',
    });
    const preview = await update('--preview', '--only-failures');
    expect(preview.code).toBe(3);
    const found = preview.stdout.split('would change')[0]?.trim().split('\n').sort();
    expect(found).toEqual([
      'a.md: has no articleId, and its slug unpack-the-hub is that of the article unpack-the-hub.',
      'b.md: line 3: title must have at most 300 characters.',
      'c.md: title must have a character that is no white space.',
      expect.stringMatching(/^d\.md, D: would fail: line 3: The category with id 'no-such-category' does not exist/u),
      expect.stringMatching(/^e\.md, no-such-article: would fail: line 2: /u),
      expect.stringMatching(/^f\.md: its front matter /u),
      'g/d.md: has the slug d, as d.md has.',
      'h.md: has no articleId. New articles are in en: write the ID of that one into this file.',
      'i.md: line 3: hidden must be true or false.',
    ]);
    const refused = await update();
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('nothing was sent: the folder has 7 problems.\n'),
    });
    expect(await ask('{ articles(first: 100) { nodes { articleId } } }')).toEqual(before);
  });

  it('creates nothing twice after it was killed before it could write the ID, whatever the slug is', async () => {
    const title = `Killed sensor ${backend}`;
    const path = `${title.toLowerCase().replaceAll(' ', '-')}.md`;
    await writeFiles({ [path]: `# ${title}\n` });
    const child = spawnGateway(argsOf([]), { cwd, settings: settings() });
    door.onAnswer(({ body }) => {
      const isCreation = body.includes('createArticles');
      if (isCreation) child.kill('SIGKILL');
      return !isCreation;
    });
    await Promise.all([text(child.stdout), text(child.stderr)]);
    const ids = await idsWithTitle(title);
    expect(ids).toHaveLength(1);
    expect(await file(path)).toBe(`# ${title}\n`);
    expect(await readdir(join(cwd, 'articles'))).toEqual([path]);
    expect(await keptState()).toEqual([expect.stringMatching(/\.creations$/u)]);

    door.onAnswer(() => true);
    expect(await update()).toMatchObject({ code: 0 });
    expect(await keptState()).toEqual([]);
    expect([await idIn(path)]).toEqual(ids);
    expect(await idsWithTitle(title)).toEqual(ids);

    // Without what a killed run has left, the slug alone tells, and is refused.
    await writeFiles({ [path]: `# ${title}\n` });
    expect(await update('--key', 'another')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is that of the article ${ids[0]}.`),
    });
  });

  it('creates an article that was refused before, once the file or the service is mended', async () => {
    const title = `Refused ${backend}`;
    const content = (categoryId: string) => `---\ntitle: ${title}\ncategoryId: ${categoryId}\n---\nx`;
    await writeFiles({ 'refused.md': content('not-there') });
    for (let run = 0; run < 2; run += 1)
      expect(await update()).toMatchObject({
        code: 3,
        stdout: expect.stringContaining("refused.md: not created: The category with id 'not-there'"),
      });
    expect(await file('refused.md')).toBe(content('not-there'));
    await writeFiles({ 'refused.md': content('first-steps') });
    expect(await update()).toMatchObject({ code: 0 });
    expect(await idsWithTitle(title)).toEqual([await idIn('refused.md')]);
  });

  if (backend === 'rest')
    it('reports what may have been created, also in later runs, and never creates it again', async () => {
      const title = 'Perhaps a sensor';
      await writeFiles({ 'perhaps.md': `# ${title}\n`, 'sure.md': '# A sure sensor\n' });
      service.onAnswer(({ body }) => !body.includes(title));
      const first = await update();
      const ids = await idsWithTitle(title);
      expect(ids).toHaveLength(1);
      const report = expect.stringMatching(
        new RegExp(`^perhaps\\.md: may have been created, and is not created again: .* It may be ${ids[0]}\\. `, 'mu'),
      );
      expect(first).toMatchObject({ code: 3, stdout: report });
      expect(await idIn('sure.md')).not.toBe('');

      service.onAnswer(() => true);
      expect(await update('--key', 'later')).toMatchObject({ code: 3, stdout: report });
      await writeFiles({ 'perhaps.md': `# ${title}\n\nEdited.\n` });
      expect(await update('--preview')).toMatchObject({ code: 3 });
      expect(await update('--key', 'latest')).toMatchObject({
        code: 3,
        stdout: expect.stringContaining('perhaps.md: may have been created'),
      });
      expect(await idsWithTitle(title)).toEqual(ids);

      await writeFiles({ 'perhaps.md': `---\narticleId: ${ids[0]}\n---\n# ${title}\n\nEdited.\n` });
      expect(await update()).toMatchObject({ code: 0 });
      expect(await readdir(join(cwd, 'articles'))).toEqual(['perhaps.md', 'sure.md']);
    });
});

describe('bulk-update of a folder', () => {
  it('needs an account for files without ID, and refuses options for rows', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-bulk-folder-'));
    await mkdir(join(cwd, 'articles'));
    const run = (...args: readonly string[]) =>
      runGateway(['bulk-update', 'articles', ...args], { cwd, settings: { KB_API_TOKEN: 'x' } });
    expect(await run('--columns', 'a=title')).toMatchObject({ code: 2 });
    expect(await run('--message', 'x')).toMatchObject({ code: 2 });
    expect(await run('--languages', '')).toMatchObject({ code: 2 });
    await writeFile(join(cwd, 'rows.csv'), 'articleId\na\n');
    expect(
      await runGateway(['bulk-update', 'rows.csv', '--languages', 'en'], { cwd, settings: { KB_API_TOKEN: 'x' } }),
    ).toMatchObject({ code: 2 });
    await rm(cwd, { recursive: true });
  });
});
