import { expect, it } from 'vitest';
import { fillText, openTab, rowOf, sendChanges, seriousIssuesInAllLooks } from './support/console-page.ts';
import { describeOverBoth } from './support/scenes.ts';

describeOverBoth('a new article', (scene, isService) => {
  const begin = async (title: string, category: string) => {
    const { page } = scene();
    await page.getByRole('button', { name: 'New article…' }).click();
    await page.getByLabel('In the name of').selectOption('Ines Moreau');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title);
    await page.getByRole('combobox', { name: 'Category', exact: true }).selectOption(category);
  };
  const check = () => scene().page.getByRole('button', { name: 'Check' }).click();
  const create = () => scene().page.getByRole('button', { name: 'Create the article' });
  const found = async (title: string) => {
    const query = `query ($text: String!) {
      articles(projectVersionId: "fernlight-2", languageCode: "en", filter: { text: $text }) { nodes { title status content } }
    }`;
    const { articles } = Object(await scene().ask(query, { text: title }));
    return articles.nodes;
  };

  it('is checked, created in the default language, opened, and written on its page', async () => {
    const { page } = scene();
    await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('German');
    await begin('Pair a sensor', 'First steps');
    await page.getByText('in English').waitFor();
    await page.getByRole('combobox', { name: 'Editor' }).selectOption('Markdown');
    expect(await create().isDisabled()).toBe(true);
    await check();
    await page.getByText('It can be created.').waitFor();
    expect(await found('Pair a sensor')).toEqual([]);
    await create().click();
    await fillText(page, page.getByLabel('Text of Pair a sensor'), 'Hold the button.');
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(await found('Pair a sensor')).toEqual([
      { title: 'Pair a sensor', status: 'DRAFT', content: 'Hold the button.' },
    ]);
    await openTab(page, 'Articles');
    await page.getByRole('gridcell', { name: 'Pair a sensor', exact: true }).last().waitFor();
  });

  it('warns of one that is there, keeps what is typed, and says what would fail', async () => {
    const { page } = scene();
    await begin('Pair a lamp', 'First steps');
    await openTab(page, 'Articles');
    await rowOf(page, 'pair-a-lamp').waitFor();
    await page.getByRole('button', { name: 'New article…' }).click();
    expect(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toBe('Pair a lamp');
    await check();
    await page.getByRole('link', { name: 'Open the article that is there' }).waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open the article that is there' }).click();
    await page.getByLabel('Text of Pair a lamp').waitFor();
  });

  if (isService)
    it('shows what may be it where there was no answer', async () => {
      const { page, cutNext } = scene();
      // Whether an article without a category was created can't be told.
      await begin('Pair a lamp', 'None');
      await check();
      await page.getByText('It can be created.').waitFor();
      cutNext('POST /v2/Articles');
      await create().click();
      const candidates = page.getByRole('list', { name: 'Articles of this title' }).getByRole('link');
      await candidates.first().waitFor();
      expect(await create().isDisabled()).toBe(true);
      await candidates.first().click();
      await page.getByLabel('Text of Pair a lamp').waitFor();
    });
});
