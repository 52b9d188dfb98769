import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPassingProxy, type PassingProxy } from '../../support/passing-proxy.ts';
import { type RunningGateway, runGateway, spawnGateway, startGatewayProcess } from '../../support/process.ts';

const LOCK = 'kb-gateway.lock.json';

const VERSIONS = Array.from({ length: 15 }, (_, index) => `version-${index}`);

/** A knowledge base with empty project versions, one for each test, and a category in each. */
const KNOWLEDGE_BASE = {
  project_versions: VERSIONS.map((id, index) => ({ id, name: id, is_default: index === 0 })),
  languages: VERSIONS.flatMap((project_version_id) =>
    ['en', 'fr'].map((code) => ({ code, name: code, is_default: code === 'en', project_version_id })),
  ),
  categories: VERSIONS.map((id) => ({
    id: `taps-${id}`,
    project_version_id: id,
    parent_category_id: null,
    name: 'All taps',
    order: 1,
  })),
  articles: [],
  readers: [],
  invited_sso_users: [],
  reader_groups: [],
};

/** A gateway over a store, or over the REST service of that gateway, through a proxy that may keep answers back. */
describe.each(['store', 'rest'] as const)('plan and apply over %s', (backend) => {
  let root: string;
  let cwd: string;
  let store: RunningGateway;
  let gateway: RunningGateway;
  let door: PassingProxy;
  let version: string;
  const unused = [...VERSIONS];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kb-gateway-plan-'));
    await Promise.all(['store', 'rest'].map((name) => mkdir(join(root, name))));
    await writeFile(join(root, 'kb.json'), JSON.stringify(KNOWLEDGE_BASE));
    expect(await runGateway(['import', '../kb.json'], { cwd: join(root, 'store') })).toMatchObject({ code: 0 });
    store = await startGatewayProcess({ cwd: join(root, 'store') });
    const settings = { UPSTREAM_URL: new URL(store.url).origin, READ_CACHE_SECONDS: '0' };
    gateway = backend === 'store' ? store : await startGatewayProcess({ cwd: join(root, 'rest'), settings });
    door = await openPassingProxy(new URL(gateway.url).origin);
  });

  afterAll(async () => {
    await door.close();
    if (gateway !== store) await gateway.stop();
    await store.stop();
    await rm(root, { recursive: true });
  });

  beforeEach(async () => {
    cwd = await mkdtemp(join(root, 'run-'));
    version = unused.shift() ?? '';
    door.onAnswer(() => true);
  });

  async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(cwd, 'docs', dirname(path)), { recursive: true });
      await writeFile(join(cwd, 'docs', path), content);
    }
  }

  const surroundings = () => ({
    cwd,
    settings: { KB_API_TOKEN: store.token, KB_GATEWAY_URL: `${door.origin}/graphql` },
  });
  const run = (...args: readonly string[]) => runGateway(args, surroundings());
  const plan = (out: string, ...args: readonly string[]) =>
    run('plan', 'docs', '--project-version', version, '--user', 'embedded-store', '--out', out, ...args);
  const apply = (path: string) => run('apply', path);
  const lockFile = () => readFile(join(cwd, 'docs', LOCK), 'utf8');

  const FIELDS = 'articleId title content hidden order status publicVersionNumber category { name }';

  async function ask(query: string, variables: object) {
    const headers = { 'content-type': 'application/json', 'x-api-token': store.token };
    const response = await fetch(store.url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    return JSON.parse(await response.text()).data;
  }

  async function stored(languageCode = 'en') {
    const query = `query ($version: ID!, $languageCode: String!) {
      articles(projectVersionId: $version, languageCode: $languageCode, first: 100, orderBy: TITLE) { nodes { ${FIELDS} } } }`;
    return (await ask(query, { version, languageCode })).articles.nodes;
  }

  const titles = async () => (await stored()).map(({ title }: { title: string }) => title);

  const TWO = {
    'index.md': '# Welcome\n\nHello.\n',
    'taps/_index.md': '---\ntitle: All taps\n---\n',
    'taps/open.md': '# Open\n\nTurn.\n',
  };

  it('creates, changes and publishes, and has nothing to do after that', async () => {
    await writeFiles({ ...TWO, 'taps/old.md': '---\ndraft: true\nhidden: true\norder: 3\n---\n# Old\n\nRust.\n' });
    const planned = await plan('one.plan', '--publish');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toContain('3 to create, 0 to translate, 0 to change, 0 unchanged, 1 left out');
    expect(await stored()).toEqual([]);
    expect(await apply('one.plan')).toMatchObject({ code: 0, stderr: '' });
    expect(await stored()).toEqual([
      expect.objectContaining({ title: 'Old', hidden: true, order: 3, status: 'DRAFT', publicVersionNumber: null }),
      expect.objectContaining({
        title: 'Open',
        content: 'Turn.\n',
        status: 'PUBLISHED',
        category: { name: 'All taps' },
      }),
      expect.objectContaining({ title: 'Welcome', content: 'Hello.\n', status: 'PUBLISHED', category: null }),
    ]);
    expect((await lockFile()).split('\n').filter((line) => line.startsWith('{'))).toHaveLength(4);
    expect(await apply('one.plan')).toMatchObject({ code: 0, stdout: 'unchanged              3\n' });
    await writeFiles({ 'taps/open.md': '# Open\n\nTurn left.\n' });
    const again = await plan('two.plan', '--publish', '--markdown');
    expect(again.stdout).toContain('0 to create, 0 to translate, 1 to change, 2 unchanged');
    expect(again.stdout).toContain('- Turn.\n  + Turn left.');
    expect((await apply('two.plan')).stdout).toBe(
      'unchanged              2\nchanged                1\npublished              1\n',
    );
    expect(await plan('three.plan', '--publish')).toMatchObject({ code: 0 });
    expect(await apply('three.plan')).toMatchObject({ code: 0, stdout: 'unchanged              3\n' });
  });

  // It starts the command for each answer, some sixty times.
  it('goes on after kill -9 at each answer, and creates nothing twice', { timeout: 900_000 }, async () => {
    const many = Array.from({ length: 120 }, (_, index) => [`taps/tap-${index}.md`, `# Tap ${index}\n\nText.\n`]);
    await writeFiles({ ...TWO, ...Object.fromEntries(many) });
    await plan('one.plan', '--publish');
    for (let at = 0, isKilled = true; isKilled; at += 1) {
      const child = spawnGateway(['apply', 'one.plan'], surroundings());
      let answers = 0;
      isKilled = false;
      door.onAnswer(() => {
        answers += 1;
        if (answers <= at || isKilled) return !isKilled;
        isKilled = true;
        return !child.kill('SIGKILL');
      });
      await text(child.stdout);
    }
    door.onAnswer(() => true);
    expect(await apply('one.plan')).toMatchObject({ code: 0, stdout: 'unchanged            122\n' });
    const articles = await run('plan', 'docs', '--project-version', version, '--json', '--publish');
    expect(articles).toMatchObject({ code: 0 });
    expect(JSON.parse(articles.stdout).items.filter(({ kind }: { kind: string }) => kind === 'same')).toHaveLength(122);
    expect((await readdir(join(cwd, 'docs'))).toSorted()).toEqual(['index.md', LOCK, 'taps']);
  });

  it('sets what follows a create where a killed run has left no files', async () => {
    await writeFiles({ 'old.md': '---\nhidden: true\n---\n# Old\n\nTwo\u2028lines.\n' });
    await plan('one.plan');
    const child = spawnGateway(['apply', 'one.plan'], surroundings());
    door.onAnswer(({ body }) => !(body.includes('createArticles') && child.kill('SIGKILL')));
    await text(child.stdout);
    door.onAnswer(() => true);
    await expect.poll(() => stored()).toEqual([expect.objectContaining({ title: 'Old', hidden: false })]);
    await rm(join(cwd, 'one.plan.begun'));
    expect(await apply('one.plan')).toMatchObject({ code: 0 });
    expect(await stored()).toEqual([
      expect.objectContaining({ title: 'Old', content: 'Two\u2028lines.\n', hidden: true }),
    ]);
  });

  it('creates the categories of folders first, and translations of new articles in the same run', async () => {
    await writeFiles({
      'en/guides/_index.md': '---\ntitle: All guides\nweight: 2\n---\n',
      'en/guides/first/one.md': '# One\n\nText.\n',
      'fr/guides/first/one.md': '# Un\n\nTexte.\n',
    });
    expect((await plan('one.plan')).stdout).toContain(
      '1 to create, 1 to translate, 0 to change, 0 unchanged, 1 left out, 2 new',
    );
    const applied = await apply('one.plan');
    expect(await stored()).toEqual([expect.objectContaining({ title: 'One', category: { name: 'First' } })]);
    expect(await lockFile()).toMatch(/"path":"guides\/"/u);
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('translated             1') });
    expect(await stored('fr')).toEqual([expect.objectContaining({ title: 'Un', content: 'Texte.\n' })]);
    const again = await plan('two.plan');
    expect(again.stdout).toContain('0 to create, 0 to translate, 0 to change, 2 unchanged');
    expect(again.stdout).toContain('0 new categories');
  });

  it('gives each of two folders of one name a category, once', async () => {
    const same = '---\ntitle: Same\n---\n';
    const files = { 'a/_index.md': same, 'a/x.md': '# X\n', 'b/_index.md': same, 'b/y.md': '# Y\n' };
    await writeFiles({ ...files, 'b/deep/z.md': '# Z\n' });
    await plan('one.plan');
    await apply('one.plan');
    expect(await apply('one.plan')).toMatchObject({ code: 0, stdout: 'unchanged              3\n' });
    await writeFiles({ 'c/_index.md': same, 'c/w.md': '# W\n' });
    expect((await plan('two.plan')).stdout).toContain('1 to create, 0 to translate, 0 to change, 3 unchanged');
    await apply('two.plan');
    expect((await plan('three.plan')).stdout).toContain('0 to create, 0 to translate, 0 to change, 4 unchanged');
    const { categories } = await ask('query ($version: ID!) { categories(projectVersionId: $version) { name } }', {
      version,
    });
    const names = categories.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['All taps', 'Same', 'Same', 'Same']);
  });

  it('knows folders that share a category by the lock file', async () => {
    await writeFiles({
      'All taps/x.md': '# X\n',
      'pumps/_index.md': '---\ntitle: All taps\n---\n',
      'pumps/y.md': '# Y\n',
    });
    await plan('one.plan');
    await apply('one.plan');
    const again = await plan('two.plan');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('0 to create, 0 to translate, 0 to change, 2 unchanged');
  });

  it('finds the articles without the lock file, and those of moved files with it', async () => {
    await writeFiles(TWO);
    await plan('one.plan');
    await apply('one.plan');
    const ids = (await stored()).map(({ articleId }: { articleId: string }) => articleId);
    await rm(join(cwd, 'docs', LOCK));
    expect((await plan('two.plan')).stdout).toContain('0 to create, 0 to translate, 0 to change, 2 unchanged');
    await apply('two.plan');
    await rename(join(cwd, 'docs', 'taps/open.md'), join(cwd, 'docs', 'opened.md'));
    expect((await plan('three.plan')).stdout).toContain('0 to create, 0 to translate, 0 to change, 2 unchanged');
    await apply('three.plan');
    expect(await lockFile()).toContain('opened.md');
    expect(await lockFile()).not.toContain('taps/open.md');
    expect((await stored()).map(({ articleId }: { articleId: string }) => articleId)).toEqual(ids);
  });

  it('knows a lock file that an editor has formatted', async () => {
    await writeFiles({ 'a.md': '# One\n\nText.\n' });
    await plan('one.plan');
    await apply('one.plan');
    const formatted = `\uFEFF${JSON.stringify(JSON.parse(await lockFile()), null, 2).replaceAll('\n', '\r\n')}`;
    await writeFiles({ 'a.md': '# Other\n\nText.\n', [LOCK]: formatted });
    const again = await plan('two.plan');
    expect(again.stderr).toBe('');
    expect(again.stdout).toContain('0 to create, 0 to translate, 1 to change');
  });

  it('knows a file whose name has changed its Unicode normal form', async () => {
    await writeFiles({ 'caf\u00e9/th\u00e9.md': '# Tea\n\nHot.\n' });
    await plan('one.plan');
    await apply('one.plan');
    const [{ articleId }] = await stored();
    await rm(join(cwd, 'docs', 'caf\u00e9'), { recursive: true });
    await writeFiles({ 'cafe\u0301/the\u0301.md': '# Green tea\n\nHot.\n' });
    expect((await plan('two.plan')).stdout).toContain(
      '0 to create, 0 to translate, 1 to change, 0 unchanged, 0 left out, 0 new categories, 0 whose files are gone',
    );
    await apply('two.plan');
    expect(await stored()).toEqual([expect.objectContaining({ articleId, title: 'Green tea' })]);
    expect(await plan('three.plan')).toMatchObject({ code: 0 });
  });

  it('does not attempt what has changed since the plan, and refuses another target', async () => {
    await writeFiles(TWO);
    await plan('one.plan');
    await apply('one.plan');
    await writeFiles({ 'index.md': '# Welcome\n\nMine.\n', 'new.md': '# New\n\nMine.\n' });
    await plan('two.plan');
    await writeFiles({ 'index.md': '# Welcome\n\nTheirs.\n', 'new.md': '# New\n\nTheirs.\n' });
    await plan('three.plan');
    expect(await apply('three.plan')).toMatchObject({ code: 0 });
    await rm(join(cwd, 'docs', LOCK));
    const applied = await apply('two.plan');
    expect(applied).toMatchObject({ code: 3 });
    expect(applied.stdout).toMatch(/^new\.md: an article of its title, \S+, is there since the plan\. Plan again\.$/mu);
    expect(applied.stdout).toMatch(/^index\.md: its article \S+ has changed since the plan\. Plan again\.$/mu);
    expect((await stored()).map(({ content }: { content: string }) => content)).toEqual([
      'Theirs.\n',
      'Turn.\n',
      'Theirs.\n',
    ]);
    await writeFiles({ 'index.md': '# Welcome\n\nLast.\n' });
    await plan('four.plan');
    const { articleId } = (await stored()).at(-1);
    door.onAnswer(async ({ body }) => {
      // A colleague changes the article after `apply` has read the lists, and before it writes.
      const rename = `mutation ($articleId: ID!) {
        bulkUpdateArticles(input: { articles: [{ articleId: $articleId, title: "Welcome all" }] }) { __typename } }`;
      if (body.includes('query FolderArticles')) await ask(rename, { articleId });
      return true;
    });
    const late = await apply('four.plan');
    expect(late).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^index\.md: The article no longer has the revision that was sent/mu),
    });
    expect((await stored()).at(-1)).toMatchObject({ title: 'Welcome all', content: 'Theirs.\n' });
    const other = await run('apply', 'two.plan', '--project-version', VERSIONS.find((id) => id !== version) ?? '');
    expect(other).toMatchObject({ code: 1 });
    expect(other.stderr).toContain(`the plan is for ${version}`);
    await appendFile(join(cwd, 'two.plan'), '{}\n');
    expect((await apply('two.plan')).stderr).toContain('is no plan of this version');
    expect((await apply('docs/index.md')).stderr).toContain('docs/index.md is no plan: `kb-gateway plan FOLDER');
  });

  it('overwrites and publishes no text that has changed since, in any language of an article', async () => {
    await writeFiles({ 'en/a.md': '# A\n', 'fr/a.md': '# Ah\n', 'en/b.md': '# B\n', 'en/more/c.md': '# C\n' });
    await plan('one.plan');
    await apply('one.plan');
    await writeFiles({
      'en/a.md': '---\nhidden: true\n---\n# A\n\nMine.\n',
      'fr/a.md': '# Ah\n\nÀ moi.\n',
      'en/more/c.md': '# C\n\nMine.\n',
    });
    await plan('two.plan', '--publish');
    const [a, b] = await stored();
    const theirs = [
      { articleId: a.articleId, languageCode: 'fr', content: 'À eux.' },
      { articleId: b.articleId, content: 'Theirs.' },
    ];
    door.onAnswer(async ({ body }) => {
      const change = `mutation ($articles: [ArticleUpdateInput!]!) { bulkUpdateArticles(input: { articles: $articles }) { __typename } }`;
      if (body.includes('query FolderArticles') && body.includes('"fr"')) await ask(change, { articles: theirs });
      return true;
    });
    const applied = await apply('two.plan');
    expect(applied.stdout).toMatch(/^fr\/a\.md: The article no longer has the revision that was sent/mu);
    expect(applied.stdout).toMatch(/^en\/b\.md: was not published: The article no longer has the revision/mu);
    expect(applied).toMatchObject({ code: 3, stdout: expect.stringMatching(/^changed +2\npublished +2\n/mu) });
    expect(await stored('fr')).toEqual([expect.objectContaining({ content: 'À eux.', status: 'DRAFT' })]);
    expect(await stored()).toMatchObject([
      { content: 'Mine.\n', hidden: true, status: 'PUBLISHED' },
      { content: 'Theirs.', status: 'DRAFT' },
      { content: 'Mine.\n', status: 'PUBLISHED' },
    ]);
  });

  it('stops at a lock file that is a link, in conflict, or has two paths of one article', async () => {
    await writeFiles(TWO);
    const other = join(cwd, 'other');
    await writeFile(other, 'mine');
    await plan('one.plan');
    await symlink(other, join(cwd, 'docs', LOCK));
    expect(await apply('one.plan')).toMatchObject({ code: 1 });
    expect(await readFile(other, 'utf8')).toBe('mine');
    expect(await titles()).toEqual([]);
    await rm(join(cwd, 'docs', LOCK));
    await apply('one.plan');
    const lines = (await lockFile()).split('\n');
    const open = lines.find((line) => line.includes('taps/open.md')) ?? '';
    await writeFile(join(cwd, 'docs', LOCK), JSON.stringify(JSON.parse(lines.join('')), null, 2));
    expect(await plan('formatted.plan')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 to create, 0 to translate, 0 to change, 2 unchanged'),
    });
    await writeFile(join(cwd, 'docs', LOCK), `[\n<<<<<<< mine\n${open}\n=======\n]\n`);
    expect((await plan('two.plan')).stderr).toContain(`${LOCK}, line 2: git has left marks of a conflict.`);
    await writeFile(join(cwd, 'docs', LOCK), `[\n${open},\n${open.replace('open.md', 'other.md')},\n]\n`);
    const twice = await plan('two.plan');
    expect(twice).toMatchObject({ code: 1 });
    expect(twice.stderr).toMatch(/taps\/open\.md and taps\/other\.md are both the article/u);
  });

  it('leaves out what is not clear and drafts of published articles, and ends what is gone where it is told to', async () => {
    await writeFiles({ ...TWO, 'bad.md': '---\ntitle: a: b\n---\n' });
    const planned = await plan('one.plan', '--publish');
    expect(planned).toMatchObject({ code: 3 });
    expect(planned.stdout).toContain('bad.md: line 2: title must have its value in quotation marks');
    expect((await plan('strict.plan', '--strict')).code).toBe(1);
    expect(await apply('one.plan')).toMatchObject({ code: 0 });
    await rm(join(cwd, 'docs', 'bad.md'));
    await writeFiles({ 'index.md': '---\ndraft: true\n---\n# Welcome\n\nSecret.\n' });
    await rm(join(cwd, 'docs', 'taps/open.md'));
    const draft = await plan('two.plan', '--gone', 'hide');
    expect(draft.stdout).toContain('index.md: it has draft: true, and its article is published');
    expect(draft.stdout).toMatch(/taps\/open\.md \(\S+\): hide/u);
    expect((await apply('two.plan')).stdout).toBe('hidden                 1\n');
    expect(await stored()).toEqual([
      expect.objectContaining({ title: 'Open', hidden: true }),
      expect.objectContaining({ title: 'Welcome', content: 'Hello.\n' }),
    ]);
  });

  it('names drafts that stay published, articles that stay hidden, and languages whose files are gone', async () => {
    await writeFiles({ 'en/a.md': '# A\n', 'fr/a.md': '# Ah\n', 'en/b.md': '# B\n', 'en/c.md': '# C\n' });
    await plan('one.plan', '--publish');
    await apply('one.plan');
    await writeFiles({ 'en/b.md': '---\ndraft: true\n---\n# B\n' });
    await rm(join(cwd, 'docs', 'fr/a.md'));
    await rm(join(cwd, 'docs', 'en/c.md'));
    expect((await plan('two.plan', '--publish', '--gone', 'hide')).stdout).toMatch(
      /^Files that are gone \(2\)\n {2}en\/c\.md \(\S+\): hide\n {2}fr\/a\.md \(\S+\): stays as it is\n\nTo know \(1\)\n {2}Drafts that stay published: en\/b\.md\.$/mu,
    );
    await apply('two.plan');
    await writeFiles({ 'en/c.md': '# C\n' });
    const { stdout } = await plan('three.plan', '--publish', '--gone', 'unpublish');
    expect(stdout).toMatch(/^ {2}fr\/a\.md \(\S+\): unpublish$/mu);
    expect(stdout).toContain('Articles that stay hidden: en/c.md.');
    expect((await apply('three.plan')).stdout).toContain('unpublished            1');
    expect(await stored('fr')).toEqual([expect.objectContaining({ title: 'Ah', publicVersionNumber: null })]);
    expect((await stored())[0]).toMatchObject({ title: 'A', publicVersionNumber: 1 });
  });

  it('forks or skips what is published, as the plan was told to', async () => {
    await writeFiles(TWO);
    await plan('one.plan', '--publish');
    expect(await apply('one.plan')).toMatchObject({ code: 0 });
    await writeFiles({ 'taps/open.md': '# Open\n\nTurn left.\n' });
    expect(await plan('other.plan', '--if-published', 'other')).toMatchObject({ code: 2 });
    const planned = await plan('skip.plan', '--if-published', 'skip');
    expect(planned).toMatchObject({ code: 3, stdout: expect.stringContaining('0 to change') });
    expect(planned.stdout).toContain('taps/open.md: its article is published, which --if-published skip leaves');
    const open = { title: 'Open', content: 'Turn.\n', status: 'PUBLISHED', publicVersionNumber: 1 };
    const skipped = await apply('skip.plan');
    expect([skipped.code, await stored()]).toEqual([0, expect.arrayContaining([expect.objectContaining(open)])]);
    await plan('fork.plan', '--if-published', 'fork');
    expect(await apply('fork.plan')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^changed +1$/mu) });
    const draft = { ...open, content: 'Turn left.\n', status: 'DRAFT' };
    expect(await stored()).toContainEqual(expect.objectContaining(draft));
  });
});
