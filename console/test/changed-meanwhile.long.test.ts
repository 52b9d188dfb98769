import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  cellOf,
  fillText,
  openArticle,
  openPopover,
  openTab,
  rowOf,
  sendChanges,
  seriousIssuesInAllLooks,
  showArticle,
} from './support/console-page.ts';
import { describeOverBoth, describeOverStore } from './support/scenes.ts';

describeOverBoth('what a colleague has changed since it was edited', (scene) => {
  const type = async (articleId: string, name: 'Title' | 'Order', text: string) => {
    await cellOf(scene().page, articleId, name).focus();
    await scene().page.keyboard.type(text);
    await scene().page.keyboard.press('Enter');
  };

  /** The write of a colleague between. */
  const write = async (...articles: readonly object[]) => {
    const mutation = `mutation ($input: BulkUpdateArticlesInput!) {
      bulkUpdateArticles(input: $input) { ... on BulkUpdateArticlesPayload { summary { updated } } } }`;
    expect(await scene().ask(mutation, { input: { articles } })).toEqual({
      bulkUpdateArticles: { summary: { updated: articles.length } },
    });
  };

  const articleOf = async (id: string) =>
    Object(await scene().ask('query ($id: ID!) { article(articleId: $id) { title order hidden content } }', { id }))
      .article;

  const items = () => scene().page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  const itemOf = (title: string): Locator => items().filter({ has: scene().page.getByRole('link', { name: title }) });

  const checked = (text: string) => scene().page.getByText(`Checked: ${text}`).waitFor();

  const press = async (name: string) => {
    const button = scene().page.getByRole('button', { name, exact: true });
    await button.focus();
    await scene().page.keyboard.press('Enter');
  };

  const send = async (count: number) => {
    const { page } = scene();
    await page.getByLabel('Published versions').selectOption('change in place, as readers see');
    await sendChanges(page);
    await page.getByText(`Done: ${count} of ${count} updated.`).first().waitFor();
  };

  it('is shown beside what was there and the own value, and is not overwritten before somebody decides, by keys', async () => {
    const { page } = scene();
    await type('pair-a-lamp', 'Title', 'Mine');
    await type('no-network', 'Order', '7');
    await type('holiday-mode', 'Order', '8');
    await write({ articleId: 'pair-a-lamp', title: 'Theirs' }, { articleId: 'no-network', order: 9 });
    await openTab(page, 'Changes (3)');
    await checked('1 can be sent, 2 to decide about, 0 would fail, 0 would change nothing.');
    expect(await itemOf('Pair a lamp').innerText()).toMatch(
      /Title: Theirs\s+becomes\s+→ Mine\s+It was Pair a lamp when you edited it, and it is Theirs now\./u,
    );
    expect(await itemOf('The hub finds no network').innerText()).toContain(
      'It was 1 when you edited it, and it is 9 now.',
    );
    await page.getByText('2 changes will not be sent before you decide.').waitFor();
    await page.getByRole('button', { name: 'Send 1 change', exact: true }).waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await press('Keep mine: Title of Pair a lamp');
    await checked('2 can be sent, 1 to decide about,');
    // The focus is moved in the next frame.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await page.keyboard.press('ControlOrMeta+Z');
    await checked('1 can be sent, 2 to decide about,');
    await page.keyboard.press('ControlOrMeta+Y');
    await checked('2 can be sent, 1 to decide about,');
    await press('Drop mine: Order of The hub finds no network');
    await checked('2 can be sent, 0 would fail,');
    await send(2);
    await expect.poll(() => articleOf('pair-a-lamp')).toMatchObject({ title: 'Mine' });
    await expect.poll(() => articleOf('no-network')).toMatchObject({ order: 9 });
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'no-network', 'Order').textContent()).toBe('9');
    expect(await cellOf(page, 'no-network', 'State').textContent()).toBe('');
    // A third value between the decision and the sending is not overwritten either.
    await type('no-network', 'Order', '3');
    await write({ articleId: 'no-network', order: 4 });
    await openTab(page, 'Changes (1)');
    await page.getByText('It was 9 when you edited it, and it is 4 now.').waitFor();
    await press('Keep all of mine');
    await write({ articleId: 'no-network', title: 'Theirs, too' });
    await page.getByRole('button', { name: 'Send 1 change', exact: true }).click();
    await page.getByText('Done: 0 of 1 updated.').waitFor();
    await expect.poll(() => articleOf('no-network')).toMatchObject({ order: 4, title: 'Theirs, too' });
  });

  it('is seen for pastes, fills, replacements and files, too', async () => {
    const { page } = scene();
    const text = (await articleOf('pair-a-lamp')).content;
    await rowOf(page, 'pair-a-lamp').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Find and replace…' }).click();
    await page.getByLabel('Find', { exact: true }).fill('lamp');
    await page.getByLabel('Replace with').fill('light');
    await page.getByLabel('In texts').click();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText(/places found in 1 of 1\./u).waitFor();
    await write({ articleId: 'pair-a-lamp', content: `${text}\nA lamp of a colleague.\n` });
    await page.getByRole('button', { name: /^Replace \d/u }).click();
    await checked('0 can be sent, 1 to decide about,');
    await itemOf('Pair a lamp').getByText('Text, as it has changed since you edited it:').waitFor();
    await itemOf('Pair a lamp').locator('ins', { hasText: 'A lamp of a colleague.' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send 0 changes' }).isDisabled()).toBe(true);
    await press('Drop mine: Text of Pair a lamp');
    await page.getByRole('link', { name: 'Pair a lamp' }).waitFor();
    await page.getByRole('button', { name: 'Discard all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await openTab(page, 'Articles');

    await cellOf(page, 'no-network', 'Hidden').focus();
    await page.keyboard.press('F2');
    await page.keyboard.press('h');
    await page.keyboard.press('Enter');
    const file = (await openPopover(page, 'CSV')).locator('input[type=file]');
    await file.setInputFiles({
      name: 'articles.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('articleId,order\nholiday-mode,5\n'),
    });
    await page.getByText('1 rows read.').waitFor();
    await page.keyboard.press('Escape');
    await write({ articleId: 'holiday-mode', order: 6 }, { articleId: 'no-network', title: 'Another place' });
    await openTab(page, 'Changes (2)');
    // Who changes another member of an article takes nothing away from anybody.
    await checked('1 can be sent, 1 to decide about,');
    await page.getByText('It was none when you edited it, and it is 6 now.').waitFor();
  });

  it('is told of nothing that one has changed or put back oneself', async () => {
    const { page } = scene();
    await type('pair-a-lamp', 'Title', 'First');
    await openTab(page, 'Changes (1)');
    await checked('1 can be sent, 0 would fail');
    await send(1);
    await openTab(page, 'Articles');
    await type('pair-a-lamp', 'Title', 'Second');
    await openTab(page, 'Changes (1)');
    await checked('1 can be sent, 0 would fail');
    await openTab(page, 'Jobs');
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByLabel('Published versions').selectOption('change in place, as readers see');
    await page.getByRole('button', { name: 'Put back 1 article' }).click();
    await page.getByText('Undoes the job of').waitFor();
    await page.getByText('Done: 1 of 1 updated.').nth(1).waitFor();
    await expect.poll(() => articleOf('pair-a-lamp')).toMatchObject({ title: 'Pair a lamp' });
    await openTab(page, 'Changes (1)');
    await checked('1 can be sent, 0 would fail');
    await send(1);
    await expect.poll(() => articleOf('pair-a-lamp')).toMatchObject({ title: 'Second' });

    // What is typed on while a job is under way is no other person's either.
    await openTab(page, 'Articles');
    const editor = await openArticle(page, 'pair-a-lamp');
    await fillText(page, editor, 'One.');
    await openTab(page, 'Changes (1)');
    await checked('1 can be sent, 0 would fail');
    await sendChanges(page);
    await showArticle(page);
    await fillText(page, editor, 'One. Two.');
    await openTab(page, 'Jobs');
    await expect.poll(() => page.getByText('Done: 1 of 1 updated.').count()).toBe(4);
    await openTab(page, 'Changes (1)');
    await checked('1 can be sent, 0 would fail');
  });
});

describeOverStore('an order that a service changes by itself', (scene) => {
  const type = async (articleId: string, order: string) => {
    await cellOf(scene().page, articleId, 'Order').focus();
    await scene().page.keyboard.type(order);
    await scene().page.keyboard.press('Enter');
  };

  /** Moves an article as a service does that numbers the articles of a category anew. */
  const renumber = (articleId: string, order: number) => {
    const database = new DatabaseSync(join(scene().folder, 'kb.db'));
    database.prepare('update articles set position = ? where id = ?').run(order, articleId);
    database.close();
  };

  it("is nobody's edit after one has placed a neighbour, unless somebody has written the article", async () => {
    const { page, gateway } = scene();
    const checked = (text: string) => page.getByText(`Checked: ${text}`).waitFor();
    const write = (update: object) =>
      gateway.send('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
        input: { articles: [{ articleId: 'no-network', ...update }] },
      });
    // An article that was never written has no time. The list is read again after this.
    await write({ hidden: false });
    await page.getByRole('searchbox').fill('network');
    await rowOf(page, 'factory-reset').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('');
    await rowOf(page, 'factory-reset').waitFor();
    await type('no-network', '7');
    renumber('no-network', 3);
    await openTab(page, 'Changes (1)');
    // As far as the page knows, a colleague has placed a neighbour.
    await checked('0 can be sent, 1 to decide about,');
    await page.getByText('It was 1 when you edited it, and it is 3 now.').waitFor();
    await openTab(page, 'Articles');
    await type('factory-reset', '5');
    await openTab(page, 'Changes (2)');
    await checked('1 can be sent, 1 to decide about,');
    await page.getByRole('button', { name: 'Send 1 change', exact: true }).click();
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await openTab(page, 'Changes (1)');
    await checked('1 can be sent, 0 would fail');
    await page.getByText('Order: 3').waitFor();
    await write({ order: 4 });
    await openTab(page, 'Articles');
    await type('no-network', '8');
    await openTab(page, 'Changes (1)');
    await checked('0 can be sent, 1 to decide about,');
    await page.getByText('It was 1 when you edited it, and it is 4 now.').waitFor();
  });
});
