import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { cellOf, openConsole, openPopover, openTab, rowOf, sendChanges } from './support/console-page.ts';
import { describeOverBoth, TOKEN } from './support/scenes.ts';

describeOverBoth('the hands of the grid', (scene) => {
  /** The articles in the order of the grid, by title. */
  const ids = (page: Page): Promise<readonly string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('.rows td[data-column="articleId"]')].map((cell) => cell.textContent),
    );

  const paste = async (text: string) => {
    const { page, gateway } = scene();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url });
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press('ControlOrMeta+V');
  };
  const copy = async (): Promise<string> => {
    const { page, gateway } = scene();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url });
    await page.keyboard.press('ControlOrMeta+C');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const texts = async (name: Parameters<typeof cellOf>[2], count: number): Promise<readonly string[]> => {
    const shown = await ids(scene().page);
    return Promise.all(
      shown.slice(0, count).map(async (id) => (await cellOf(scene().page, id, name).textContent()) ?? ''),
    );
  };
  const cell = async (row: number, name: Parameters<typeof cellOf>[2]) =>
    cellOf(scene().page, (await ids(scene().page))[row] ?? '', name);
  const views = () => scene().page.getByRole('navigation', { name: 'Views' }).innerText();

  it('select a range by mouse, by Shift and by keys, and copy it as tabs', async () => {
    const { page } = scene();
    const titles = await texts('Title', 3);
    const hidden = await texts('Hidden', 3);
    await (await cell(0, 'Title')).hover();
    await page.mouse.down();
    await (await cell(1, 'Category')).hover();
    await (await cell(2, 'Hidden')).hover();
    await page.mouse.up();
    const rows = (await copy()).split(/\r?\n/u).map((line) => line.split('\t'));
    expect(rows.map(([title]) => title)).toEqual(titles);
    expect(rows.map((row) => row[2])).toEqual(hidden);
    await (await cell(1, 'Title')).click();
    await (await cell(2, 'Category')).click({ modifiers: ['Shift'] });
    expect((await copy()).split(/\r?\n/u)).toHaveLength(2);
    await (await cell(0, 'Hidden')).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    const four = (await copy()).split(/\r?\n/u).map((line) => line.split('\t'));
    expect(four.map((row) => row.length)).toEqual([2, 2]);
    // The focus stays where the range begins.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-column'))).toBe('hidden');
  });

  it('paste one value over a range, fill down by key and by handle, empty it, and undo each as one step', async () => {
    const { page } = scene();
    const before = await texts('Hidden', 5);
    await (await cell(0, 'Hidden')).focus();
    for (let step = 0; step < 2; step++) await page.keyboard.press('Shift+ArrowDown');
    await paste('Hidden');
    await expect.poll(() => texts('Hidden', 3)).toEqual(['Hidden', 'Hidden', 'Hidden']);
    await page.keyboard.press('Delete');
    await expect.poll(() => texts('Hidden', 3)).toEqual(['Shown', 'Shown', 'Shown']);
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(() => texts('Hidden', 3)).toEqual(['Hidden', 'Hidden', 'Hidden']);
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(() => texts('Hidden', 5)).toEqual(before);
    expect(await views()).not.toContain('Changes (');
    await page.keyboard.press('ControlOrMeta+Y');
    await expect.poll(() => texts('Hidden', 3)).toEqual(['Hidden', 'Hidden', 'Hidden']);
    await (await cell(0, 'Order')).focus();
    await page.keyboard.type('41');
    await page.keyboard.press('Enter');
    await (await cell(0, 'Order')).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+D');
    await expect.poll(() => texts('Order', 2)).toEqual(['41', '41']);
    await page.locator('.fill').hover();
    await page.mouse.down();
    await (await cell(3, 'Order')).hover();
    await page.mouse.up();
    await expect.poll(() => texts('Order', 4)).toEqual(['41', '41', '41', '41']);
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(async () => (await texts('Order', 4)).slice(0, 2)).toEqual(['41', '41']);
    expect((await texts('Order', 4))[3]).not.toBe('41');
  });

  it('skip columns that cannot be edited and say so, and say what cannot be read', async () => {
    const { page } = scene();
    // The state stands between the title and the category.
    await page.evaluate(() => {
      location.hash = `${location.hash}&columns=state`;
    });
    const order = () =>
      page.evaluate(() => [...document.querySelectorAll('th')].map((header) => header.dataset['column']));
    await expect.poll(async () => (await order()).slice(1, 4)).toEqual(['title', 'state', 'categoryId']);
    await (await cell(0, 'Title')).focus();
    await paste('One\tRooms\tyes');
    await expect.poll(async () => (await texts('Category', 1))[0]).toBe('Daily use / Rooms');
    expect([(await texts('Title', 1))[0], (await texts('Hidden', 1))[0]]).toEqual(['One', 'Hidden']);
    // Cells of the grid itself come back into their own columns.
    await (await cell(0, 'Title')).focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowRight');
    await copy();
    await (await cell(1, 'Title')).focus();
    await page.keyboard.press('ControlOrMeta+V');
    await page.getByRole('alert').getByText("Skipped, since it can't be edited: State.").waitFor();
    expect([(await texts('Title', 2))[1], (await texts('Category', 2))[1]]).toEqual(['One', 'Daily use / Rooms']);
    const changes = await views();
    await paste('"An open quote\tand more');
    await page
      .getByRole('alert')
      .getByText("Nothing was pasted, since it can't be read: a cell begins with a quotation mark")
      .waitFor();
    expect(await views()).toBe(changes);
  });

  it('fill rows that come into sight as the handle is dragged to the edge, and select them', async () => {
    const { page } = scene();
    await page.setViewportSize({ width: 1_400, height: 480 });
    await (await cell(0, 'Order')).focus();
    await page.keyboard.type('41');
    await page.keyboard.press('Enter');
    await (await cell(0, 'Order')).focus();
    await page.locator('.fill').hover();
    await page.mouse.down();
    const cells = await (await cell(0, 'Order')).boundingBox();
    const edge = await page.locator('.grid').boundingBox();
    await page.mouse.move((cells?.x ?? 0) + 20, (edge?.y ?? 0) + (edge?.height ?? 0) - 20, { steps: 3 });
    await expect.poll(() => page.locator('.grid').evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    const [last] = (await ids(page)).slice(-1);
    await cellOf(page, last ?? '', 'Order').hover();
    await page.mouse.up();
    await expect.poll(async () => new Set(await texts('Order', 100))).toEqual(new Set(['41']));
    expect(await page.locator('td.range').count()).toBe((await ids(page)).length);
  });

  it('say what was refused without moving the grid, until that is undone', async () => {
    const { page } = scene();
    const top = async () => (await page.getByRole('grid').boundingBox())?.y;
    const before = await top();
    const refused = page.getByRole('alert').getByText('Row 1: A title is not empty.');
    await (await cell(0, 'Hidden')).focus();
    await paste('Hidden');
    await (await cell(0, 'Title')).focus();
    await page.keyboard.press('Delete');
    await refused.waitFor();
    expect(await top()).toBe(before);
    // Once dismissed, it is said again where it happens again.
    await page.locator('[aria-label="Dismiss"]').click();
    await refused.waitFor({ state: 'detached' });
    await (await cell(0, 'Title')).focus();
    await page.keyboard.press('Delete');
    await refused.waitFor();
    await page.keyboard.press('ControlOrMeta+Z');
    await refused.waitFor({ state: 'detached' });
  });

  it('keep the focus in the grid where the button that had it is gone or disabled', async () => {
    const { page } = scene();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-column'));
    await rowOf(page, 'pair-a-lamp').getByRole('checkbox').check();
    await (await cell(0, 'Hidden')).focus();
    await page.getByRole('button', { name: 'Clear the selection' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('hidden');
    await paste('Hidden');
    await page.getByRole('button', { name: 'Undo', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('hidden');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByLabel(/^Text of /u).waitFor();
    await page.goBack();
    await expect.poll(focused).toBe('hidden');
  });

  it('find the search by /, and show the keys by ?, without an edit', async () => {
    const { page } = scene();
    await (await cell(0, 'Title')).focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('undo and redo what is not sent yet').waitFor();
    // The keys of the page wait until the dialog is closed.
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TD');
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.type('lamp');
    expect(await page.getByRole('searchbox').inputValue()).toBe('lamp');
    expect(await views()).not.toContain('Changes (');
  });

  it('keep columns where they were put, in the address', async () => {
    const { page, gateway } = scene();
    const columns = await openPopover(page, 'Columns');
    const toTheLeft = async (name: string) => {
      await columns.getByRole('button', { name: `Column ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Move to the left' }).click();
    };
    await toTheLeft('Hidden');
    for (let step = 0; step < 3; step++) await toTheLeft('State');
    await columns.getByLabel('Width of Order').fill('140');
    await page.keyboard.press('Escape');
    const header = (id: string) => page.locator(`th[data-column="${id}"]`);
    const width = async (id: string) => Math.round((await header(id).boundingBox())?.width ?? 0);
    await expect.poll(() => width('order')).toBe(140);
    const edge = await header('order').locator('.resize').boundingBox();
    await page.mouse.move((edge?.x ?? 0) + 2, (edge?.y ?? 0) + 4);
    await page.mouse.down();
    await page.mouse.move((edge?.x ?? 0) + 42, (edge?.y ?? 0) + 4);
    await page.mouse.up();
    await expect.poll(() => width('order')).toBe(180);
    const order = () =>
      page.evaluate(() => [...document.querySelectorAll('th')].map(({ dataset }) => dataset['column']));
    await expect
      .poll(async () => (await order()).slice(0, 5))
      .toEqual(['selection', 'title', 'hidden', 'state', 'categoryId']);
    expect(await header('title').evaluate((element) => getComputedStyle(element).position)).toBe('sticky');
    const { hash } = new URL(page.url());
    const other = await openConsole(
      page.context().browser() ?? Object.create(null),
      gateway.url,
      `${hash}&token=${TOKEN}`,
    );
    await rowOf(other.page, 'pair-a-lamp').waitFor();
    expect(Math.round((await other.page.locator('th[data-column="order"]').boundingBox())?.width ?? 0)).toBe(180);
    await other.page.close();
  });

  it('show the state of the newest change, and when it was made', async () => {
    const { page, ask } = scene();
    const id = 'pair-a-lamp';
    const edit = async (order: string) => {
      await cellOf(page, id, 'Order').focus();
      await page.keyboard.type(order);
      await page.keyboard.press('Enter');
    };
    const changed = () => rowOf(page, id).locator('[data-column="modifiedAt"]').textContent();
    const before = await changed();
    await edit('9');
    expect(await cellOf(page, id, 'State').textContent()).toBe('Changed, not sent');
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, id, 'State').textContent()).toBe('Updated');
    const { modifiedAt } = Object(await ask(`{ article(articleId: "${id}") { modifiedAt } }`)).article;
    const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(modifiedAt),
    );
    await expect.poll(changed).toBe(time);
    expect(before).not.toBe(undefined);
    await edit('10');
    expect(await cellOf(page, id, 'State').textContent()).toBe('Changed, not sent');
    // What was sent is undone by a job, and not by a key.
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(() => cellOf(page, id, 'State').textContent()).toBe('Updated');
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true);
  });

  it('select all between two boxes by Shift, and take them out again', async () => {
    const { page } = scene();
    const box = (row: number) => page.locator(`tr[aria-rowindex="${row + 2}"]`).getByRole('checkbox');
    await box(1).click();
    await box(4).click({ modifiers: ['Shift'] });
    await page.getByText('4 selected.', { exact: true }).waitFor();
    await box(3).click({ modifiers: ['Shift'] });
    await page.getByText('2 selected.', { exact: true }).waitFor();
    await box(1).click({ modifiers: ['Shift'] });
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
  });

  it('say how many of the selection the filter does not show', async () => {
    const { page } = scene();
    for (const id of ['pair-a-lamp', 'no-network', 'holiday-mode']) await rowOf(page, id).getByRole('checkbox').check();
    await page.getByRole('searchbox').fill('network');
    await page.getByText(/^3 selected, [12] not shown\.$/u).waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('3 selected.', { exact: true }).waitFor();
  });
});
