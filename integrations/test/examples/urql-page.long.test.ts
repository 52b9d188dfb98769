import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReactPage, rowOf } from '../../../test/examples/react-page.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../../test/support/chromium.ts';
import { reset } from '../../../test/support/faulty-service.ts';

const PATH = 'integrations/examples/urql-page/page.tsx';

const START = `
  import { showUrqlPage } from '/page.js';
  showUrqlPage(document.querySelector('main'), 'GATEWAY', async () => (await (await fetch('/jwt')).json()).jwt);`;

describe('the React page with urql', NEEDS_CHROMIUM, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('lists, previews and saves, and shows what was saved from its cache', async () => {
    const opened = await openReactPage(browser, PATH, START);
    const { page, breakNext, close } = opened;
    const items = page.getByRole('listitem');
    await expect.poll(() => items.count()).toBe(4);
    for (const count of [8, 10]) {
      await page.getByRole('button', { name: 'More' }).click();
      await expect.poll(() => items.count()).toBe(count);
    }
    const row = rowOf(page, 'evening-scene');
    await row.type('Another evening');
    await row.click('Preview');
    await row.says('Evenings → Another evening');
    await row.click('Save');
    await row.says('Saved.');
    await row.type('A third evening');
    await row.click('Save');
    await row.says('Saved.');
    await row.type('A fourth evening');
    breakNext(reset());
    await row.click('Save');
    await row.says(/^It may have been saved/u);
    await close();
  });

  it('is a component of less than twenty lines, and its client', () => {
    const [, component = ''] = /^function Page(.*?)^\}/msu.exec(readFileSync(PATH, 'utf8')) ?? [];
    expect(component.split('\n').length).toBeLessThan(20);
  });
});
