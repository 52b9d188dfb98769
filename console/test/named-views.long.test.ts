import { expect, it } from 'vitest';
import { chooseFilter, openConsole, rowOf, seriousIssuesInAllLooks } from './support/console-page.ts';
import { describeOverBoth, TOKEN } from './support/scenes.ts';

describeOverBoth('views with names', (scene) => {
  const views = () => scene().page.getByRole('button', { name: /^Views?$|^View: /u });
  const choose = async (item: string) => {
    await views().click();
    await scene().page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const nameIt = async (name: string, button: string) => {
    const dialog = scene().page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: button }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const label = (text: string) => expect.poll(() => views().textContent()).toBe(text);

  it('are saved, chosen, changed, renamed and deleted, and that is undone', async () => {
    const { page } = scene();
    await chooseFilter(page, 'Hidden', 'Hidden');
    await choose('Save as a view…');
    await nameIt('Not shown', 'Save');
    await label('View: Not shown');
    await rowOf(page, 'pair-a-lamp').waitFor({ state: 'detached' });
    await choose('No view');
    await rowOf(page, 'pair-a-lamp').waitFor();
    await choose('Not shown');
    await rowOf(page, 'pair-a-lamp').waitFor({ state: 'detached' });
    await chooseFilter(page, 'Status', 'Draft');
    await label('View: Not shown, changed');
    await choose('Save the changes of “Not shown”');
    await label('View: Not shown');
    await choose('Rename “Not shown”…');
    await nameIt('Hidden drafts', 'Save');
    await label('View: Hidden drafts');
    await choose('Delete “Hidden drafts”');
    await label('Views');
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await choose('Hidden drafts');
    await page.getByRole('button', { name: 'Remove the filter Status: Draft' }).waitFor();
  });

  it('are in the browser after a reload, and whole in the address for others', async () => {
    const { page, gateway } = scene();
    await chooseFilter(page, 'Hidden', 'Hidden');
    await choose('Save as a view…');
    await nameIt('Not shown', 'Save');
    const { hash } = new URL(page.url());
    await page.goto('about:blank');
    await page.goto(`${gateway.url}/console#token=${TOKEN}`);
    await choose('Not shown');
    await page.getByRole('button', { name: 'Remove the filter Hidden: Hidden' }).waitFor();
    const browser = page.context().browser() ?? Object.create(null);
    const other = await openConsole(browser, gateway.url, `${hash}&token=${TOKEN}`);
    await other.page.getByRole('button', { name: 'View: Not shown', exact: true }).click();
    await other.page.getByRole('menuitem', { name: 'Save as a view…' }).click();
    expect(await other.page.getByLabel('Name').inputValue()).toBe('Not shown');
    await other.page.getByRole('button', { name: 'Remove the filter Hidden: Hidden', includeHidden: true }).waitFor();
    expect(await seriousIssuesInAllLooks(other.page)).toEqual([]);
    await other.page.close();
  });

  it('freeze further columns beside the title', async () => {
    const { page } = scene();
    const header = (id: string) => page.locator(`th[data-column="${id}"]`);
    const order = () => page.locator('th').evaluateAll((cells) => cells.map(({ dataset }) => dataset['column']));
    await header('state').hover();
    await header('state').getByRole('button', { name: 'Column State' }).click();
    await page.getByRole('menuitem', { name: 'Freeze beside the title' }).click();
    await expect.poll(async () => (await order()).slice(0, 4)).toEqual(['selection', 'title', 'state', 'categoryId']);
    const left = async () => Math.round((await header('state').boundingBox())?.x ?? 0);
    const before = await left();
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.locator('.grid').evaluate((grid) => grid.scrollTo({ left: 400 }));
    await expect.poll(left).toBe(before);
    await header('state').hover();
    await header('state').getByRole('button', { name: 'Column State' }).click();
    await page.getByRole('menuitem', { name: 'Scroll with the others' }).click();
    await expect.poll(async () => (await order()).slice(0, 3)).toEqual(['selection', 'title', 'categoryId']);
  });
});
