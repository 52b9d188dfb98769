import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConsoleFiles } from '../../src/server/console-files.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { type FaultyService, held, json, openFaultyService } from '../../test/support/faulty-service.ts';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import { openBackendTo } from '../../test/support/rest-scene.ts';
import { serveWritable, type WritableService } from '../../test/support/writable-service.ts';
import {
  type ConsolePage,
  openConsole,
  openTab,
  rowOf,
  sendChanges,
  seriousIssuesInAllLooks,
} from './support/console-page.ts';
import { describeOverStore } from './support/scenes.ts';

let gateway: Gateway;
let page: Page;

const find = async (
  text: string,
  replacement: string,
  where: { readonly titles: boolean; readonly texts: boolean },
) => {
  await page.getByLabel('Find', { exact: true }).fill(text);
  await page.getByLabel('Replace with').fill(replacement);
  await page.getByLabel('In titles').setChecked(where.titles);
  await page.getByLabel('In texts').setChecked(where.texts);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
};

const places = () => page.getByRole('list', { name: 'Places' }).getByRole('listitem');

describeOverStore('find and replace over the store', (scene) => {
  const article = async (id: string) => {
    const query = 'query ($id: ID!) { article(articleId: $id) { title content htmlContent } }';
    return (await gateway.send(query, { id })).body.data?.['article'];
  };

  beforeEach(async () => {
    ({ gateway, page } = scene());
    await page.getByRole('button', { name: /^Select all \d+/u }).click();
    await page.getByRole('button', { name: 'Find and replace…' }).click();
  });

  it('shows every place in titles and texts, sends nothing before that was seen, and leaves places out', async () => {
    const before = await article('pair-a-lamp');
    await find('lamp', 'LIGHT', { titles: true, texts: true });
    await page.getByText(/^\d+ places found in/u).waitFor();
    const shown = await places().allInnerTexts();
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.filter((text) => text.includes('lamp')).length).toBe(shown.length);
    const inTitle = places().filter({ hasText: 'Pair a lamp Title:' });
    await inTitle.getByRole('checkbox').uncheck();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.getByRole('button', { name: /^Replace \d+ place/u }).click();
    await page.getByText(/^Checked: \d+ can be sent, 0 would fail/u).waitFor();
    const changes = page.getByRole('list', { name: 'Changes' });
    await changes.locator('.diff ins', { hasText: 'LIGHT' }).first().waitFor();
    expect(await changes.locator('.diff del').first().innerText()).toContain('lamp');
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    expect(await article('pair-a-lamp')).toEqual(before);
    await sendChanges(page);
    await page.getByText(/^Done: (\d+) of \1 updated\.$/u).waitFor();
    const { content } = before as { readonly content: string };
    expect(content).toContain('lamp');
    expect(await article('pair-a-lamp')).toEqual({
      ...(before as object),
      title: 'Pair a lamp',
      content: content.replaceAll('lamp', 'LIGHT'),
    });
  });

  it('searches titles as they were changed and updated, also without matching case, and empties none', async () => {
    await find('PAIR A LAMP', 'A+B (new)', { titles: true, texts: false });
    await page.getByText('0 places found in').waitFor();
    await page.getByLabel('Match case').uncheck();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('1 place found in').waitFor();
    await page.getByRole('button', { name: 'Replace 1 place' }).click();
    await openTab(page, 'Find and replace');
    await find('a+b (new)', '', { titles: true, texts: false });
    await page.getByLabel('Match case').uncheck();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('1 place found in').waitFor();
    await page.getByRole('button', { name: 'Replace 1 place' }).click();
    await page.getByText('The title "A+B (new)" would be empty.').waitFor();
  });
});

describe('find and replace over a service', NEEDS_CHROMIUM, () => {
  let browser: Browser;
  let opened: ConsolePage;
  let service: FaultyService;
  let writable: WritableService;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    service = await openFaultyService();
    writable = serveWritable(service, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    const backend = openBackendTo(service);
    gateway = await startGateway({ backend, local: false, token: 'token-1', readConsole: readConsoleFiles });
    opened = await openConsole(browser, gateway.url, '#token=token-1');
    ({ page } = opened);
    await rowOf(page, 'a1').waitFor();
    await page.getByRole('button', { name: /^Select all \d+/u }).click();
    await page.getByRole('button', { name: 'Find and replace…' }).click();
  });

  afterEach(async () => {
    expect(opened.troubles).toEqual([]);
    await page.close();
    await gateway.close();
    await service.close();
  });

  const textCalls = () =>
    service.received.filter(({ method, url }) => method === 'GET' && /\/Articles\/a\d/u.test(url));

  it('says what texts cost, reads none before and each once', async () => {
    await page.getByLabel('In texts').check();
    await page.getByText('Each text is read alone: at most 6 requests').waitFor();
    expect(textCalls()).toEqual([]);
    await find('e', 'E', { titles: false, texts: true });
    await page.getByText(/found in 6 of 6\.$/u).waitFor();
    expect(textCalls()).toHaveLength(6);
  });

  it('is stopped, and reads no more', async () => {
    const { behaviour, release } = held(json(200, {}));
    writable.onReads(behaviour);
    await find('e', 'E', { titles: false, texts: true });
    await page.getByText('Searching… 0 of 6').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    release();
    await page.getByText('Searching…').waitFor({ state: 'detached' });
    expect(textCalls().length).toBeLessThanOrEqual(4);
  });

  it('ends at the first text that cannot be read, and says so', async () => {
    writable.onReads(json(500, {}));
    await find('e', 'E', { titles: false, texts: true });
    await page.getByRole('alert').waitFor();
    await page.getByText('0 places found in 4 of 6.').waitFor();
  });
});
