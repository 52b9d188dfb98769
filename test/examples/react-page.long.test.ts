import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM } from '../support/chromium.ts';
import { envelope, json, reset, status } from '../support/faulty-service.ts';
import { openReactPage, REACT_PAGE, rowOf } from './react-page.ts';

describe('the recipe for a React page', NEEDS_CHROMIUM, () => {
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof openReactPage>>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    opened = await openReactPage(browser, ...REACT_PAGE);
    await opened.page.getByRole('listitem').first().waitFor();
  });
  afterEach(() => opened.close());

  /** The row of the first article, after somebody has typed another title. */
  async function typed(title = 'Another evening') {
    const row = rowOf(opened.page, 'evening-scene');
    await row.type(title);
    return row;
  }

  it('lists the articles page by page', async () => {
    const { page } = opened;
    const items = page.getByRole('listitem');
    expect(await items.count()).toBe(4);
    for (const count of [8, 10]) {
      await page.getByRole('button', { name: 'More' }).click();
      await expect.poll(() => items.count()).toBe(count);
    }
    expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0);
  });

  it('shows what would change, and saves it', async () => {
    const row = await typed();
    await row.click('Preview');
    await row.says('Evenings → Another evening');
    await row.click('Save');
    await row.says('Saved.');
    await row.click('Preview');
    await row.says('Nothing would change.');
  });

  it('shows somebody else’s change instead of overwriting it', async () => {
    const row = await typed();
    await opened.rename('evening-scene', 'Theirs');
    await row.click('Save');
    await row.says('Not saved: meanwhile it is called “Theirs”.');
    await row.click('Save');
    await row.says('Saved.');
  });

  it('says that the service has refused an item', async () => {
    const row = await typed();
    const results = [{ article_id: 'evening-scene', success: false, details: 'It is locked.' }];
    opened.breakNext(json(200, envelope(results)));
    await row.click('Save');
    await row.says('Not saved: It is locked.');
  });

  it('says that an item may have been saved', async () => {
    const row = await typed();
    opened.breakNext(reset());
    await row.click('Save');
    await row.says(/^It may have been saved: look at the article first\./u);
  });

  it('says that an item was not sent, and may be again', async () => {
    const row = await typed();
    opened.breakAll(status(503));
    await row.click('Save');
    await row.says(/Save it again\.$/u);
    opened.breakAll(null);
    await row.click('Save');
    await row.says('Saved.');
  });

  it('says why a whole request was refused, and whether it may be sent again', async () => {
    const row = await typed();
    opened.breakNext(status(404));
    await row.click('Save');
    await row.says(/^The service cannot be reached.* Save it again\.$/u);
  });

  it('sends the same again under one key where no answer came', async () => {
    const row = await typed();
    const keys: unknown[] = [];
    await opened.page.route(/graphql$/u, async (route) => {
      const { query, variables } = route.request().postDataJSON();
      if (!query.includes('UpdateRows')) return route.continue();
      keys.push(variables.key);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await row.click('Save');
    await row.says('No answer. Again is safe: nothing is saved twice.');
    await row.click('Save');
    await row.says('Saved.');
    expect(new Set(keys).size).toBe(1);
  });

  it('renews the JWT before it ends, and once for the requests of a moment', async () => {
    const { page, grants, authorizations } = opened;
    expect(grants.count).toBe(1);
    // A JWT that ends within half a minute serves the requests of one moment.
    grants.seconds = 30;
    await page.reload();
    await page.getByRole('listitem').first().waitFor();
    const row = await typed();
    await row.click('Preview');
    await row.says(/→/u);
    expect(grants.count).toBe(3);
    expect(new Set(authorizations).size).toBe(3);
  });
});
