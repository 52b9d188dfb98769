import { expect, it } from 'vitest';
import {
  cellOf,
  fillText,
  openArticle,
  openTab,
  rowOf,
  sendChanges,
  seriousIssuesInAllLooks,
  textIn,
} from './support/console-page.ts';
import { describeOverBoth } from './support/scenes.ts';

describeOverBoth('changes of published versions', (scene) => {
  const rename = async (articleId: string, title: string) => {
    const { page } = scene();
    await cellOf(page, articleId, 'Title').focus();
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
  };

  const articleOf = async (id: string) => {
    const query = 'query ($id: ID!) { article(articleId: $id) { title status versionNumber publicVersionNumber } }';
    return Object(await scene().ask(query, { id })).article;
  };

  it('go to new drafts in the name of an account, unless something else is chosen', async () => {
    const { page } = scene();
    await rename('pair-a-lamp', 'Pair it');
    await openTab(page, 'Changes');
    await page.getByText('1 change of published versions.').waitFor();
    await page.getByText('Choose in whose name the new drafts are made.').waitFor();
    expect(await page.getByRole('button', { name: 'Send 1 change' }).isDisabled()).toBe(true);
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await page.getByRole('heading', { name: 'Change title of “Pair a lamp”' }).waitFor();
    await page.getByText(/by an API token$/u).waitFor();
    expect(await articleOf('pair-a-lamp')).toEqual({
      title: 'Pair it',
      status: 'DRAFT',
      versionNumber: 2,
      publicVersionNumber: 1,
    });
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'pair-a-lamp', 'State').textContent()).toBe('Updated as draft 2');
    await expect.poll(() => rowOf(page, 'pair-a-lamp').getByText('Draft', { exact: true }).count()).toBe(1);
  });

  it('are left out, or made in place, where that is chosen', async () => {
    const { page } = scene();
    await rename('pair-a-lamp', 'Pair it');
    await rename('unpack-the-hub', 'Unpack it');
    await openTab(page, 'Changes');
    await page.getByText('Checked: 2 can be sent').waitFor();
    await page.getByLabel('Published versions').selectOption('are left out');
    await page.getByText('1 change of published versions will not be sent.').waitFor();
    await page.getByRole('button', { name: 'Send 1 change' }).click();
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(await articleOf('unpack-the-hub')).toMatchObject({ title: 'Unpack it' });
    expect(await articleOf('pair-a-lamp')).toMatchObject({ title: 'Pair a lamp' });
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await page.getByLabel('Published versions').selectOption('change in place, as readers see');
    await page.getByRole('button', { name: 'Send 1 change' }).click();
    await page.getByText('Done: 1 of 1 updated.').first().waitFor();
    await expect
      .poll(() => articleOf('pair-a-lamp'))
      .toEqual({ title: 'Pair it', status: 'PUBLISHED', versionNumber: 1, publicVersionNumber: 1 });
  });

  it('are grouped by what they change, and left out by article, by place and by group', async () => {
    const { page } = scene();
    await rename('pair-a-lamp', 'Pair it');
    for (const id of ['pair-a-lamp', 'no-network', 'evening-scene']) {
      await cellOf(page, id, 'Order').focus();
      await page.keyboard.type('9');
      await page.keyboard.press('Enter');
    }
    const text = await openArticle(page, 'pair-a-lamp');
    const before = await textIn(text);
    await fillText(page, text, `First.\n\n${before}\nLast.\n`);
    await openTab(page, 'Changes');
    await page.getByText('Checked: 3 can be sent').waitFor();
    const list = page.getByRole('list', { name: 'Changes' });
    const groups = () => list.getByRole('heading').allInnerTexts();
    await expect.poll(groups).toEqual(['Order 2', 'Title, Text, Order 1']);
    await list.getByRole('button', { name: 'Leave out this place' }).last().press('Enter');
    await expect.poll(() => list.locator('.diff ins').allInnerTexts()).toEqual(['+ First.', '+ ']);
    await list.getByRole('button', { name: 'Leave out Title of Pair a lamp' }).press('Enter');
    await expect.poll(groups).toEqual(['Order 2', 'Text, Order 1']);
    await list.getByRole('button', { name: 'Leave out all 2 of Order' }).press('Enter');
    await expect.poll(groups).toEqual(['Text, Order 1']);
    // The focus is moved in the next frame.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    const query = '{ article(articleId: "pair-a-lamp") { title order content } }';
    expect(await scene().ask(query)).toEqual({
      article: { title: 'Pair a lamp', order: 9, content: `First.\n\n${before}` },
    });
  });
});
