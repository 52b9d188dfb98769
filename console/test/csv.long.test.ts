import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../src/cli/bulk-update/input-rows.ts';
import { readConsoleFiles } from '../../src/server/console-files.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { held, openFaultyService, status } from '../../test/support/faulty-service.ts';
import { startGateway } from '../../test/support/gateway.ts';
import { openBackendTo } from '../../test/support/rest-scene.ts';
import { serveWritable } from '../../test/support/writable-service.ts';
import {
  cellOf,
  openConsole,
  openPopover,
  openTab,
  rowOf,
  sendChanges,
  seriousIssues,
} from './support/console-page.ts';
import { describeOverBoth, TOKEN } from './support/scenes.ts';

const BULK_UPDATE = 'PUT /v2/Articles/bulkupdate';
const TEXT = 'GET /v2/Articles/pair-a-lamp/en';

describeOverBoth('texts in CSV', (scene, isService) => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-csv-'));
    file = join(folder, 'articles.csv');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const textOf = async (id: string) => {
    const query = 'query ($id: ID!) { article(articleId: $id) { content htmlContent } }';
    const { content, htmlContent } = Object(await scene().ask(query, { id })).article;
    return content ?? htmlContent;
  };

  const save = async () => {
    const { page } = scene();
    const downloading = page.waitForEvent('download');
    await openPopover(page, 'CSV');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    await (await downloading).saveAs(file);
    return readFile(file, 'utf8');
  };

  const read = async (csv: string) => {
    await writeFile(file, csv);
    await openPopover(scene().page, 'CSV');
    await scene().page.getByLabel('Open a CSV').setInputFiles(file);
    await scene().page.getByText('rows read.').waitFor();
  };

  it('with a revision that is not the last one any more would fail, and say so', async () => {
    const { page, ask } = scene();
    const rename = (title: string) =>
      ask('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
        input: { articles: [{ articleId: 'pair-a-lamp', title }] },
      });
    await rename('Before');
    const { revision } = Object(await ask('{ article(articleId: "pair-a-lamp") { revision } }')).article;
    await rename('Theirs');
    await read(`articleId,title,revision\npair-a-lamp,Mine,${revision}\n`);
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 0 can be sent, 1 would fail').waitFor();
  });

  it('with revisions in several languages of an article are all sent, though the first changes what they share', async () => {
    const { page, ask } = scene();
    const update = 'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }';
    const codes = ['en', 'de'] as const;
    const named = { articleId: 'pair-a-lamp' };
    await ask(update, {
      input: { articles: codes.map((languageCode) => ({ ...named, languageCode, title: 'Before' })) },
    });
    const articleIn = async (languageCode: string) => {
      const query =
        'query ($code: String!) { article(articleId: "pair-a-lamp", languageCode: $code) { title hidden revision } }';
      return Object(await ask(query, { code: languageCode })).article;
    };
    await read(`articleId,title,hidden,revision\npair-a-lamp,Mine,true,${(await articleIn('en')).revision}\n`);
    await page.getByLabel('Language').selectOption({ label: 'German' });
    await read(`articleId,title,revision\npair-a-lamp,Meine,${(await articleIn('de')).revision}\n`);
    await openTab(page, 'Changes (2)');
    await page.getByText('Checked: 2 can be sent').waitFor();
    await sendChanges(page);
    await page.getByText('Done: 2 of 2 updated.').waitFor();
    expect(await articleIn('de')).toMatchObject({ title: 'Meine', hidden: true });
  });

  it('are saved as bulk-update reads them, and come back through the preview', async () => {
    const { page, ask, cutNext } = scene();
    const formula = '- Press\n- "Wait"; then go';
    const input = { articles: [{ articleId: 'pair-a-lamp', content: formula }] };
    await ask('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
      input,
    });
    await (await openPopover(page, 'CSV')).getByLabel('with texts').check();
    await page.getByText('Each text is read alone: at most 10 requests').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    const saved = await save();
    await page.getByText('10 are in the file.').waitFor();
    await page.getByRole('alert').getByText('Texts of the block editor are not read.').waitFor();
    const written = readRows(Buffer.from(saved), { format: 'csv', mapping: new Map() });
    const rows = written.flatMap((row) => (row.ok ? [row.value.members] : []));
    expect(rows).toHaveLength(10);
    expect(rows.find(({ articleId }) => articleId === 'pair-a-lamp')).toMatchObject({
      title: 'Pair a lamp',
      content: formula,
    });
    expect(rows.find(({ articleId }) => articleId === 'evening-scene')?.['content']).toBe(
      await textOf('evening-scene'),
    );
    // No cell is a formula to a spreadsheet.
    expect(saved).toContain(`"'- Press`);

    await read(saved.replace('- Press', '- Push').replaceAll('\r\n', '\n'));
    await openTab(page, 'Changes (9)');
    await page.getByText('Checked: 1 can be sent, 0 would fail, 8 would change nothing.').waitFor();
    await page.getByRole('button', { name: 'Leave out all 8 that would change nothing' }).click();
    await page.getByRole('list', { name: 'Changes' }).locator('ins', { hasText: 'Push' }).waitFor();
    expect(await textOf('pair-a-lamp')).toBe(formula);
    cutNext(BULK_UPDATE);
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(await textOf('pair-a-lamp')).toBe(formula.replace('Press', 'Push'));
  });

  it('are read where another program separates the cells by semicolons', async () => {
    const { page } = scene();
    await read(
      'articleId;languageCode;order;content\r\npair-a-lamp;en;9;"One;\r\ntwo, ""three"""\r\nno-network;en;8;\r\n',
    );
    expect(await cellOf(page, 'pair-a-lamp', 'Order').textContent()).toBe('9');
    await openTab(page, 'Changes (2)');
    await page.getByText('Checked: 2 can be sent, 0 would fail').waitFor();
    await page.getByRole('list', { name: 'Changes' }).locator('ins', { hasText: 'two,' }).waitFor();
  });

  if (isService)
    it('are stopped, and no file is half full', async () => {
      const { page, cutNext } = scene();
      const { behaviour, release } = held(status(500));
      cutNext(TEXT, behaviour);
      await (await openPopover(page, 'CSV')).getByLabel('with texts').check();
      await openPopover(page, 'CSV');
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      await page.getByText(/^Reading texts… \d of 10$/u).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      release();
      await page
        .getByText(/^(?:Stopped: there is no file|There is no file, since a text could not be read)/u)
        .waitFor();
      cutNext(TEXT, status(500));
      await openPopover(page, 'CSV');
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      await page.getByText('There is no file, since a text could not be read').waitFor();
      await save();
    });
});

describe('texts in CSV of many articles', NEEDS_CHROMIUM, () => {
  it('are not read, and that is said before', async () => {
    const service = await openFaultyService();
    serveWritable(
      service,
      Array.from({ length: 1_001 }, (_, index) => `a${index}`),
    );
    const backend = openBackendTo(service);
    const gateway = await startGateway({ backend, local: false, token: TOKEN, readConsole: readConsoleFiles });
    const browser = await launchChromium();
    const { page, troubles } = await openConsole(browser, gateway.url, `#token=${TOKEN}`);
    await rowOf(page, 'a1').waitFor();
    await (await openPopover(page, 'CSV')).getByLabel('with texts').check();
    await page.getByText('At most 1000 texts are read for one file: filter the articles.').waitFor();
    await openPopover(page, 'CSV');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    await expect.poll(() => page.getByText('At most 1000 texts are read').count()).toBe(2);
    expect(service.received.filter(({ url }) => /\/Articles\/a\d/u.test(url))).toEqual([]);
    expect(troubles).toEqual([]);
    await browser.close();
    await gateway.close();
    await service.close();
  });
});
