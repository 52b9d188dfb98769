import { expect, it } from 'vitest';
import { cellOf, chooseFilter, chooseSince, openTab, sendChanges } from './support/console-page.ts';
import { describeOverBoth } from './support/scenes.ts';

const CELLS = ['Title', 'Category', 'Hidden', 'Order', 'Translation'] as const;

describeOverBoth('the grid', (scene) => {
  const cells = (articleId: string) =>
    Promise.all(CELLS.map((name) => cellOf(scene().page, articleId, name).textContent()));

  const send = async (count: number) => {
    const { page, cutNext } = scene();
    await openTab(page, `Changes (${count})`);
    await page.getByText(`Checked: ${count} can be sent, 0 would fail`).waitFor();
    cutNext('PUT /v2/Articles/bulkupdate');
    await sendChanges(page);
    await page.getByText(`Done: ${count} of ${count} updated.`).waitFor();
  };

  const stored = async (id: string) => {
    const query =
      'query ($id: ID!) { article(articleId: $id) { title hidden order translationStatus category { categoryId } } }';
    return Object(await scene().ask(query, { id })).article;
  };

  it('has cells of title, category, hidden, order and translation, each edited by keyboard', async () => {
    const { page } = scene();
    const type = async (name: (typeof CELLS)[number], ...keys: readonly string[]) => {
      await cellOf(page, 'pair-a-lamp', name).focus();
      for (const key of keys) await page.keyboard.press(key);
    };
    await type('Title', 'Enter', 'End', '!', 'Enter');
    // A letter chooses the first value that begins with it.
    await type('Category', 'F2', 't', 'Enter');
    await type('Hidden', 'Enter', 'h', 'Tab');
    await type('Order', '8', 'Enter');
    await type('Translation', 'F2', 't', 'Shift+Tab');
    const expected = ['Pair a lamp!', 'Troubleshooting', 'Hidden', '8', 'Translated'];
    expect(await cells('pair-a-lamp')).toEqual(expected);
    expect(await stored('pair-a-lamp')).toMatchObject({ title: 'Pair a lamp', order: 2, hidden: false });
    await send(1);
    expect(await stored('pair-a-lamp')).toEqual({
      title: 'Pair a lamp!',
      hidden: true,
      order: 8,
      translationStatus: 'TRANSLATED',
      category: { categoryId: 'troubleshooting' },
    });
    await openTab(page, 'Articles');
    expect(await cells('pair-a-lamp')).toEqual(expected);
  });

  it('takes rows of a spreadsheet into all of these cells', async () => {
    const { page, gateway } = scene();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url });
    const rows = [
      ['Six', 'Rooms', 'yes', '3', 'Translated'],
      ['Seven', 'Troubleshooting', 'no', '4', 'Needs translation'],
    ];
    const text = rows.map((row) => row.join('\t')).join('\r\n');
    await cellOf(page, 'evening-scene', 'Title').focus();
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press('ControlOrMeta+V');
    expect(await cells('evening-scene')).toEqual(['Six', 'Daily use / Rooms', 'Hidden', '3', 'Translated']);
    expect(await cells('move-a-lamp')).toEqual(['Seven', 'Troubleshooting', 'Shown', '4', 'Needs translation']);
    await send(2);
    expect(await stored('evening-scene')).toEqual({
      title: 'Six',
      hidden: true,
      order: 3,
      translationStatus: 'TRANSLATED',
      category: { categoryId: 'rooms' },
    });
    expect(await stored('move-a-lamp')).toMatchObject({ title: 'Seven', translationStatus: 'NEEDS_TRANSLATION' });
  });

  it('filters by text, category, hidden, translation, status and time of change, and sorts by title', async () => {
    const { page, ask } = scene();
    const ids = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.rows > .row')].map((row) => row.children[1]?.textContent ?? '').sort(),
      );
    const all = await ids();
    const choose = (label: string, option: string) => chooseFilter(page, label, option);
    const filters: readonly (readonly [string, string, readonly string[]])[] = [
      ['Category', 'Daily use / Rooms', ['Move a lamp to another room', 'Name your rooms']],
      ['Hidden', 'Hidden', ['Holiday mode (draft)']],
      ['Status', 'Draft', ['Holiday mode (draft)', 'Unpack your hub']],
      ['Translation', 'Translated', []],
      ['Translation', 'None', all],
    ];
    for (const [label, option, found] of filters) {
      await choose(label, option);
      await expect.poll(ids).toEqual(found);
      await choose(label, 'All');
      await expect.poll(ids).toEqual(all);
    }
    await page.getByRole('searchbox').fill('koppeln');
    await expect.poll(ids).toEqual([]);
    await page.getByRole('searchbox').fill('network');
    await expect.poll(ids).toContain('The hub finds no network');
    expect((await ids()).length).toBeLessThan(all.length);
    await page.getByRole('searchbox').fill('');
    await expect.poll(ids).toEqual(all);
    const input = { articles: [{ articleId: 'no-network', order: 9 }] };
    await ask('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
      input,
    });
    await chooseSince(page, new Date().toISOString().slice(0, 10));
    await expect.poll(ids).toContain('The hub finds no network');
    await chooseSince(page, '2999-01-01');
    await expect.poll(ids).toEqual([]);
    await chooseSince(page, '');
    await page.getByRole('button', { name: 'Title' }).click();
    const shown = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.rows > .row')].map((row) => row.children[1]?.textContent ?? ''),
      );
    await expect.poll(shown).toEqual(all.toSorted((one, other) => one.localeCompare(other, 'en')));
  });
});
