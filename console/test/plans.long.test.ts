import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPassingProxy } from '../../test/support/passing-proxy.ts';
import { runGateway, spawnGateway } from '../../test/support/process.ts';
import { openTab, seriousIssuesInAllLooks } from './support/console-page.ts';
import { describeOverBoth, TOKEN } from './support/scenes.ts';

describeOverBoth('a plan in the console', (scene) => {
  let cwd: string;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-console-plan-'));
  });

  afterEach(() => rm(cwd, { recursive: true }));

  async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(cwd, 'docs', dirname(path)), { recursive: true });
      await writeFile(join(cwd, 'docs', path), content);
    }
  }

  const surroundings = (origin = scene().gateway.url) => ({
    cwd,
    settings: { KB_API_TOKEN: TOKEN, KB_GATEWAY_URL: `${origin}/graphql` },
  });

  const plan = (...args: readonly string[]) => runGateway(['plan', 'docs', ...args], surroundings());

  const TWO = {
    'guides/_category_.json': '{ "label": "All guides" }',
    'guides/open.md': '# Open\n\nTurn.\n',
    'guides/deep/old.md': '---\nhidden: true\n---\n# Old\n\nTwo\u2028lines.\n',
    'de/guides/open.md': '# Öffnen\n\nDrehen.\n',
    '_draft.md': '# Draft\n',
  };

  async function open(name: string) {
    const { page } = scene();
    await openTab(page, 'Plans');
    await page.getByLabel(/^Drop the file of a plan/u).setInputFiles(join(cwd, name));
    return page;
  }

  /** Applies the plan that is open. The result is what the page says at the end. */
  async function apply(): Promise<string> {
    const { page } = scene();
    await page.getByRole('button', { name: /^Apply/u }).waitFor();
    const account = page.getByLabel('In the name of');
    if (await account.isVisible()) await account.selectOption({ index: 1 });
    await page.getByRole('button', { name: /^Apply/u }).click();
    await page.getByText(/^Applied: |^There is nothing to do\./u).waitFor();
    return page.getByText(/^Applied: |^There is nothing to do\./u).innerText();
  }

  const itemOf = (path: string) =>
    scene().page.getByRole('list', { name: 'What the plan does' }).getByRole('listitem').filter({ hasText: path });

  it('is shown as the command shows it, applied, and has nothing left to do for the command', async () => {
    await writeFiles(TWO);
    const planned = await plan('--out', 'one.plan');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    const page = await open('one.plan');
    await page.getByText('2 to create, 1 to translate, 0 to change, 0 unchanged').waitFor();
    for (const sentence of planned.stdout.split('\n').slice(1, 3))
      expect(await page.locator('.counts').innerText()).toContain(sentence);
    await itemOf('guides/open.md').first().getByRole('button', { name: 'Show the text' }).click();
    await itemOf('guides/open.md').first().getByText('+ Turn.').waitFor();
    await itemOf('_draft.md').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 2000 });
    expect(await apply()).toBe('Applied: 2 created, 1 translated.');
    expect(await itemOf('guides/deep/old.md').innerText()).toContain('created');
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.getByRole('button', { name: /^Apply again/u }).click();
    await page.getByText('Applied: 3 unchanged.').waitFor();
    const again = await plan('--out', 'two.plan');
    expect(again.stdout).toContain('0 to create, 0 to translate, 0 to change, 3 unchanged');
    expect(again.stdout).toContain('0 new categories');
    expect(await runGateway(['apply', 'one.plan', '--user', 'embedded-store'], surroundings())).toMatchObject({
      code: 0,
      stdout: 'unchanged              3\n',
    });
  });

  it('gives the lines for the lock file that it can’t write', async () => {
    await writeFiles(TWO);
    await plan('--out', 'one.plan');
    const page = await open('one.plan');
    await apply();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save 5 lines' }).click(),
    ]);
    const lines = await text(await download.createReadStream());
    await writeFile(join(cwd, 'docs', 'kb-gateway.lock.json'), `[\n]\n${lines}`);
    await writeFiles({ 'guides/open.md': '# Opened\n\nTurn.\n' });
    expect((await plan()).stdout).toContain('0 to create, 0 to translate, 1 to change, 2 unchanged');
    expect(await readFile(join(cwd, 'docs', 'guides/open.md'), 'utf8')).toContain('Opened');
  });

  it('leaves as it is what has changed since, and changes the rest', async () => {
    await writeFiles(TWO);
    await plan('--out', 'one.plan', '--user', 'embedded-store');
    await runGateway(['apply', 'one.plan'], surroundings());
    await writeFiles({ 'guides/open.md': '# Open\n\nTurn left.\n', 'de/guides/open.md': '# Aufmachen\n\nDrehen.\n' });
    await plan('--out', 'two.plan');
    const lock = JSON.parse(await readFile(join(cwd, 'docs', 'kb-gateway.lock.json'), 'utf8'));
    const { id: articleId } = lock.find(({ path }: { path: string }) => path === 'guides/open.md');
    const { ask } = scene();
    await ask('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
      input: { articles: [{ articleId, languageCode: 'en', content: 'Theirs.\n' }] },
    });
    const page = await open('two.plan');
    await page.getByText('1 article changed since the plan: what has is left as it is.').waitFor();
    await itemOf('de/guides/open.md').getByText('title "Öffnen" -> "Aufmachen"').waitFor();
    expect(await apply()).toBe('Applied: 1 unchanged, 1 not attempted, 1 changed.');
    expect(await itemOf('guides/open.md').first().innerText()).toContain('has changed since the plan. Plan again.');
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    const query = 'query ($articleId: ID!) { article(articleId: $articleId, languageCode: "en") { content } }';
    expect(await ask(query, { articleId })).toMatchObject({ article: { content: 'Theirs.\n' } });
  });

  it('that the command has begun is finished, and nothing is created twice', async () => {
    const many = Array.from({ length: 105 }, (_, index) => [`guides/tap-${index}.md`, `# Tap ${index}\n\nText.\n`]);
    await writeFiles({ ...TWO, ...Object.fromEntries(many) });
    await plan('--out', 'one.plan', '--user', 'embedded-store');
    const door = await openPassingProxy(scene().gateway.url);
    const child = spawnGateway(['apply', 'one.plan'], surroundings(door.origin));
    door.onAnswer(({ body }) => !(body.includes('createArticles') && child.kill('SIGKILL')));
    await text(child.stdout);
    await door.close();
    await rm(join(cwd, 'docs', 'kb-gateway.lock.json'), { force: true });
    await open('one.plan');
    expect(await apply()).toMatch(/^Applied: (?=.* created)(?=.* unchanged)(?=.*1 translated)/u);
    expect((await plan('--out', 'two.plan')).stdout).toContain(
      '0 to create, 0 to translate, 0 to change, 108 unchanged',
    );
  });

  it('is refused by a sentence where it is none, is changed, breaks off, or is of another knowledge base', async () => {
    await writeFiles(TWO);
    await plan('--out', 'one.plan');
    const whole = await readFile(join(cwd, 'one.plan'), 'utf8');
    const lines = whole.trimEnd().split('\n');
    const files = {
      'sheet.csv': 'articleId;title\n',
      'other.plan': whole.replace('"format":1', '"format":2'),
      'short.plan': lines.slice(0, -1).join('\n'),
      'edited.plan': whole.replace('Turn.', 'Burn.'),
      'old.plan': whole.replace(/"createdAt":"\d+/u, '"createdAt":"2001'),
      'elsewhere.plan': whole.replace(/"projectVersionId":"[^"]+"/u, '"projectVersionId":"none"'),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
    const page = await open('one.plan');
    for (const [name, sentence] of [
      ['sheet.csv', 'sheet.csv is no plan: `kb-gateway plan FOLDER --out FILE` makes one.'],
      ['other.plan', 'other.plan is no plan of this version of kb-gateway. Plan again.'],
      ['short.plan', 'short.plan is not a whole plan: it breaks off. Plan again.'],
      ['edited.plan', 'edited.plan was changed by hand. Plan again.'],
      ['old.plan', "old.plan can't be applied here: the plan is older than a day. Plan again."],
      ['elsewhere.plan', 'elsewhere.plan was changed by hand. Plan again.'],
    ] as const) {
      await open(name);
      await page.getByRole('alert').getByText(sentence).waitFor();
    }
    expect(await page.getByRole('button', { name: 'Apply the plan' }).count()).toBe(0);
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
  });

  it('can be dropped on the page', async () => {
    await writeFiles(TWO);
    await plan('--out', 'one.plan');
    const { page } = scene();
    await openTab(page, 'Plans');
    await page.getByLabel(/^Drop the file of a plan/u).waitFor();
    const content = await readFile(join(cwd, 'one.plan'), 'utf8');
    await page.evaluate((given) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([given], 'dropped.plan'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, content);
    await page.getByText('dropped.plan').waitFor();
  });
});
