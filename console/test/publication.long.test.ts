import { expect, it } from 'vitest';
import { reset } from '../../test/support/faulty-service.ts';
import { cellOf, openTab, rowOf, seriousIssuesInAllLooks } from './support/console-page.ts';
import { describeOverBoth } from './support/scenes.ts';

const PUBLISH = 'POST /v2/Articles/bulkpublish/en';

describeOverBoth('publication', (scene, isService) => {
  const publish = async (articleId: string) => {
    const { page } = scene();
    await rowOf(page, articleId).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Publish…', exact: true }).click();
    await confirm();
  };

  const confirm = async () => {
    const { page } = scene();
    await page.getByLabel('In the name of').selectOption({ index: 1 });
    await page.getByText('Checked: 1 can be sent, 0 would fail').waitFor();
    await page.getByRole('button', { name: 'Publish 1 article', exact: true }).click();
  };

  const publicVersion = async (id: string) =>
    Object(await scene().ask('query ($id: ID!) { article(articleId: $id) { publicVersionNumber } }', { id })).article
      .publicVersionNumber;

  it('of a selection is told in its row', async () => {
    const { page } = scene();
    await publish('unpack-the-hub');
    await expect.poll(() => cellOf(page, 'unpack-the-hub', 'State').textContent()).toBe('Published');
    expect(await publicVersion('unpack-the-hub')).toBe(2);
  });

  it('is checked again where that has failed', async () => {
    const { page } = scene();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('previewPublishArticles(')) return route.fallback();
      await page.unroute('**/graphql');
      return route.fulfill({ json: { errors: [{ message: 'Too many requests.' }] } });
    });
    await rowOf(page, 'unpack-the-hub').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Publish…', exact: true }).click();
    await page.getByLabel('In the name of').selectOption({ index: 1 });
    await page.getByText('Too many requests.').waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Checked: 1 can be sent, 0 would fail').waitFor();
  });

  it('is not made of what a colleague has changed since it was shown', async () => {
    const { page, ask } = scene();
    const rename = (title: string) =>
      ask('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
        input: { articles: [{ articleId: 'unpack-the-hub', title }] },
      });
    await rowOf(page, 'unpack-the-hub').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Publish…', exact: true }).click();
    await page.getByLabel('In the name of').selectOption({ index: 1 });
    await page.getByText('Checked: 1 can be sent, 0 would fail').waitFor();
    await rename('Unpack it carefully');
    await page.getByRole('button', { name: 'Publish 1 article', exact: true }).click();
    await expect.poll(() => cellOf(page, 'unpack-the-hub', 'State').textContent()).toMatch(/^Not /u);
    expect(await publicVersion('unpack-the-hub')).toBe(1);
  });

  if (isService)
    it('that is unknown is kept apart, with what to do, and published again', async () => {
      const { page, cutNext } = scene();
      cutNext(PUBLISH, reset());
      await publish('unpack-the-hub');
      await openTab(page, 'Unknown (1)');
      await page.getByText('Public version: you wanted the latest').waitFor();
      await page.getByRole('button', { name: /^Read it now/u }).click();
      await page.getByText('Public version: you wanted 2 and it is 1.').waitFor();
      expect(await seriousIssuesInAllLooks(page)).toEqual([]);
      expect(await publicVersion('unpack-the-hub')).toBe(1);
      await page.getByRole('button', { name: 'Publish it again…' }).click();
      await confirm();
      await expect.poll(() => cellOf(page, 'unpack-the-hub', 'State').textContent()).toBe('Published');
      expect(await publicVersion('unpack-the-hub')).toBe(2);
      expect(await page.getByRole('navigation', { name: 'Views' }).innerText()).not.toContain('Unknown');
    });

  if (isService)
    it('that is unknown is shown as done where it has happened', async () => {
      const { page, cutNext } = scene();
      cutNext(PUBLISH);
      await publish('unpack-the-hub');
      await openTab(page, 'Unknown (1)');
      await page.getByRole('button', { name: /^Read it now/u }).click();
      await page.getByText('Public version: you wanted 2 and it is so.').waitFor();
      await page.getByRole('button', { name: /^Nothing left to do/u }).click();
      await expect.poll(() => page.getByRole('button', { name: /^Unknown/u }).count()).toBe(0);
    });
});
