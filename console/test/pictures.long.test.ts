import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConsoleFiles } from '../../src/server/console-files.ts';
import { type DemoGateway, startDemoGateway } from '../../test/clients/demo-gateway.ts';
import { launchChromium, NEEDS_CHROMIUM, openPage } from '../../test/support/chromium.ts';

/** Where the pictures are written; `npm run pictures` names the folder of those that the README shows. */
const FOLDER = process.env['PICTURES'];

const QUERY = '{\n  articles(first: 3) {\n    nodes { articleId title }\n    totalCount\n  }\n}\n';

describe('the pictures of the README and of the docs', NEEDS_CHROMIUM, () => {
  let gateway: DemoGateway;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    gateway = await startDemoGateway({ readConsole: readConsoleFiles });
    browser = await launchChromium();
    ({ page } = await openPage(browser, gateway.url));
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  /** A page that shows nothing compresses to a few kilobytes. */
  async function take(name: string): Promise<void> {
    const picture = await page.screenshot();
    expect(picture.length).toBeGreaterThan(20_000);
    if (!FOLDER) return;
    await mkdir(FOLDER, { recursive: true });
    await writeFile(join(FOLDER, name), picture);
  }

  it('show GraphiQL after an example ran', async () => {
    await page.setViewportSize({ width: 1000, height: 520 });
    await page.goto(`${gateway.target.url}?query=${encodeURIComponent(QUERY)}#token=${gateway.target.token}`);
    await page.getByRole('button', { name: /execute query/iu }).click();
    await page.getByText('evening-scene').waitFor();
    await take('graphiql.png');
  });

  it('show the console with changes that are not sent yet', async () => {
    await page.setViewportSize({ width: 1200, height: 660 });
    await page.goto(`${gateway.url}/console#token=${gateway.target.token}`);
    const row = (title: string) => page.getByRole('row').filter({ hasText: title });
    await row('Pair a lamp').getByRole('gridcell').nth(1).dblclick();
    await page.keyboard.press('End');
    await page.keyboard.type(' with the hub');
    await page.keyboard.press('Enter');
    await row('Holiday mode').getByRole('checkbox').check();
    await row('A wake-up light').getByRole('checkbox').check();
    await page.getByRole('combobox', { name: 'to', exact: true }).selectOption('Hidden');
    await page.getByRole('button', { name: 'Changes (2)' }).waitFor();
    await take('console.png');
  });

  it('show the preview of a reader group in words', async () => {
    await page.setViewportSize({ width: 1200, height: 660 });
    await page.goto('about:blank');
    await page.goto(`${gateway.url}/console#token=${gateway.target.token}`);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reader groups' }).click();
    await page.getByRole('button', { name: /^Installers/u }).click();
    await page.getByRole('button', { name: 'In Daily use' }).click();
    await page.getByRole('checkbox', { name: 'Rooms' }).check();
    await page.getByRole('checkbox', { name: 'Ada Fern' }).uncheck();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('1 person loses access').waitFor();
    await take('reader-groups.png');
  });
});
