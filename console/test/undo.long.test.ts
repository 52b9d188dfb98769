import { expect, it } from 'vitest';
import { reset } from '../../test/support/faulty-service.ts';
import {
  cellOf,
  fillText,
  openArticle,
  openTab,
  sendChanges,
  seriousIssuesInAllLooks,
  showArticle,
  textIn,
} from './support/console-page.ts';
import { describeOverBoth } from './support/scenes.ts';

const BULK_UPDATE = 'PUT /v2/Articles/bulkupdate';

describeOverBoth('undo', (scene, isService) => {
  const edit = async (articleId: string, name: 'Title' | 'Order', text: string) => {
    await cellOf(scene().page, articleId, name).focus();
    await scene().page.keyboard.type(text);
    await scene().page.keyboard.press('Enter');
  };

  const send = async (count: number) => {
    const { page } = scene();
    await openTab(page, 'Changes');
    await page.getByText(`Checked: ${count} can be sent`).waitFor();
    await sendChanges(page);
    await page.getByText(`Done: ${count} of ${count} updated.`).waitFor();
  };

  const articleOf = async (id: string) =>
    Object(
      await scene().ask('query ($id: ID!) { article(articleId: $id) { title order content versionNumber status } }', {
        id,
      }),
    ).article;

  const jobs = () => scene().page.getByRole('list', { name: 'Jobs' }).getByRole('article');
  const items = () => scene().page.getByRole('list', { name: 'Would be undone' }).getByRole('listitem');

  it('shows what would be put back and what cannot be, puts it back as a job, and is undone itself', async () => {
    const { page, ask, cutNext } = scene();
    const text = Object(await articleOf('pair-a-lamp')).content;
    await fillText(page, await openArticle(page, 'pair-a-lamp'), `${text}Then wait.\n`);
    await openTab(page, 'Articles');
    await edit('pair-a-lamp', 'Title', 'Another title');
    await edit('no-network', 'Order', '7');
    await edit('holiday-mode', 'Order', '8');
    await openTab(page, 'Changes');
    await page.getByLabel('Published versions').selectOption('change in place, as readers see');
    // One text is read and written alone; the other two are read by two calls. What each call has left is read by one more.
    await page.getByText('About 6 more calls where a service has the articles.').waitFor();
    cutNext(BULK_UPDATE);
    await send(3);
    const input = { articles: [{ articleId: 'no-network', order: 9 }] };
    await ask('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
      input,
    });
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByText('2 of 3 can be put back, where they are still as the job left them.').waitFor();
    const shown = (await items().allInnerTexts()).join('\n');
    expect(shown).toMatch(/Holiday mode.*no update can set what was before the job: order.*Order: 8 → none/su);
    expect(shown).toMatch(/The hub finds no network.*order: 7 was expected, and 9 is there.*Order: 7 → 1 Now: 9/su);
    expect(shown).toMatch(/Title: Another title → Pair a lamp/su);
    await items().locator('del', { hasText: 'Then wait' }).waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    expect(await articleOf('pair-a-lamp')).toMatchObject({ title: 'Another title' });

    const version = Object(await articleOf('pair-a-lamp')).versionNumber;
    cutNext(BULK_UPDATE);
    await page.getByLabel('in the name of').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Put back 2 articles' }).click();
    await page.getByText('Done: 1 of 3 updated.').waitFor();
    expect(await articleOf('pair-a-lamp')).toMatchObject({ versionNumber: version + 1, status: 'DRAFT' });
    expect(await articleOf('pair-a-lamp')).toMatchObject({ title: 'Pair a lamp', content: text });
    expect(await articleOf('no-network')).toMatchObject({ order: 9 });
    expect(await articleOf('holiday-mode')).toMatchObject({ order: 8 });
    await jobs().filter({ hasText: 'Undone by the job of' }).waitFor();
    await page.getByRole('heading', { name: /^Put back 3 articles: Change .* of 3 articles$/u }).waitFor();
    await openTab(page, 'Articles');
    await expect
      .poll(() => cellOf(page, 'pair-a-lamp', 'State').textContent())
      .toBe(isService ? 'Updated as draft 2: reading it showed that.' : 'Updated as draft 2');
    await expect.poll(() => cellOf(page, 'pair-a-lamp', 'Title').textContent()).toBe('Pair a lamp');
    expect(await cellOf(page, 'no-network', 'State').textContent()).toMatch(/^Not put back, because /u);
    await showArticle(page);
    await expect.poll(() => textIn(page.getByLabel(/^Text of /u))).toBe(text);

    await openTab(page, 'Jobs');
    const revert = jobs().filter({ hasText: 'Undoes the job of' });
    await revert.getByRole('button', { name: 'Undo…' }).click();
    await page.getByText('1 of 1 can be put back').waitFor();
    await page.getByRole('button', { name: 'Put back' }).click();
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(await articleOf('pair-a-lamp')).toMatchObject({ title: 'Another title', content: `${text}Then wait.\n` });
  });

  it('is not offered for a job that kept nothing', async () => {
    const { page } = scene();
    await edit('no-network', 'Order', '7');
    await openTab(page, 'Changes');
    await page.getByLabel('Keep the values from before, so that this can be undone').uncheck();
    await send(1);
    await jobs().getByRole('button', { name: 'Items' }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo…' }).count()).toBe(0);
  });

  if (isService)
    it('is told where its outcome is unknown, with what to do', async () => {
      const { page, cutNext } = scene();
      await edit('no-network', 'Order', '7');
      await send(1);
      await page.getByRole('button', { name: 'Undo…' }).click();
      cutNext(BULK_UPDATE, reset());
      await page.getByRole('button', { name: 'Put back' }).click();
      await page.getByText('Done: 0 of 1 updated.').waitFor();
      await openTab(page, 'Unknown (1)');
      await page.getByText('Undo it once more under Jobs').waitFor();
      await openTab(page, 'Jobs');
      await jobs().nth(1).getByRole('button', { name: 'Undo…' }).click();
      await page.getByRole('button', { name: 'Put back' }).click();
      await page.getByText('Done: 1 of 1 updated.').nth(1).waitFor();
      expect(await articleOf('no-network')).toMatchObject({ order: 1 });
      expect(await page.getByRole('navigation', { name: 'Views' }).innerText()).not.toContain('Unknown');
    });
});
