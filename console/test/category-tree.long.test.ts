import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { cellOf, openTab, rowOf, seriousIssuesInAllLooks } from './support/console-page.ts';
import { describeOverBoth } from './support/scenes.ts';

describeOverBoth('the tree of categories', (scene) => {
  const item = (name: string): Locator => scene().page.getByRole('treeitem', { name, exact: true });
  const focused = () => scene().page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

  it('is browsed by keys and by mouse, and filters the list', async () => {
    const { page } = scene();
    await item('All articles').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(focused).toBe('Rooms');
    expect(await item('Daily use').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Enter');
    await page.getByText('2 articles').waitFor();
    expect(await item('Rooms').getAttribute('aria-selected')).toBe('true');
    expect(new URL(page.url()).hash).toContain('category=rooms');
    // No rule about filters takes the room of the buttons beside it.
    const { x = 0, width = Infinity } = (await page.getByRole('button', { name: 'Redo' }).boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await item('All articles').click();
    await page.getByText('10 articles').waitFor();
    await item('Daily use').locator('.twist').click();
    await item('Rooms').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Categories', exact: true }).click();
    await page.getByRole('tree').waitFor({ state: 'detached' });
  });

  it('takes what is dropped on it, an article or the selection, as one change that can be undone', async () => {
    const { page } = scene();
    const category = (id: string) => cellOf(page, id, 'Category').textContent();
    const dragOf = (id: string) => rowOf(page, id).locator('[data-column="selection"]');
    await dragOf('pair-a-lamp').dragTo(item('Troubleshooting'));
    await expect.poll(() => category('pair-a-lamp')).toBe('Troubleshooting');
    for (const id of ['no-network', 'wake-up-light']) await rowOf(page, id).getByRole('checkbox').check();
    await dragOf('no-network').dragTo(item('First steps'));
    await expect.poll(() => category('no-network')).toBe('First steps');
    expect(await category('wake-up-light')).toBe('First steps');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => category('wake-up-light')).toBe('Daily use / Scenes');
    expect([await category('no-network'), await category('pair-a-lamp')]).toEqual([
      'Troubleshooting',
      'Troubleshooting',
    ]);
    // Nothing is dropped on all articles.
    await dragOf('evening-scene').dragTo(item('All articles'));
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    // A drag selects no range, and leaves the mouse as it was.
    await openTab(page, 'Articles');
    await cellOf(page, 'pair-a-lamp', 'Title').click();
    await cellOf(page, 'no-network', 'Order').hover();
    expect(await page.locator('td.range').count()).toBe(1);
  });

  it('has nothing serious for axe-core', async () => {
    const { page } = scene();
    await item('Daily use').click();
    await item('Rooms').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
  });
});
