import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { hang, openFaultyService, status } from '../../test/support/faulty-service.ts';
import { startGatewayProcess } from '../../test/support/process.ts';
import { serveWritable, unapplied } from '../../test/support/writable-service.ts';
import { answer, cellOf, openConsole, openTab, rowOf, seriousIssuesInAllLooks } from './support/console-page.ts';
import { describeOverBoth, TOKEN } from './support/scenes.ts';

const SUBMIT = `mutation ($input: SubmitArticleUpdateJobInput!, $key: String!) {
  submitArticleUpdateJob(input: $input, idempotencyKey: $key) { ... on MutationError { message } }
}`;

describeOverBoth('a job', (scene, isService) => {
  const submit = (articles: readonly object[], more: object = {}) =>
    scene().ask(SUBMIT, { input: { articles, ...more }, key: 'key' });

  const signInAgain = async () => {
    const { page } = scene();
    await page.reload();
    await page.getByLabel('API token or JWT').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await openTab(page, 'Jobs');
  };

  it('is found after a reload, and cancelled then', async () => {
    const { page } = scene();
    await submit([{ articleId: 'no-network', order: 9 }], { moreToCome: true });
    await signInAgain();
    await page.getByText('Not sent yet: parts of it are still to come.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await answer(page, 'Cancel the job');
    await page.getByText('Cancelled: 0 of 1 updated.').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  });

  it('has a history of its items, in pages and by their outcome', async () => {
    const { page } = scene();
    const failing = Array.from({ length: 120 }, (_, index) => ({ articleId: `gone-${index}`, order: 9 }));
    await submit([...failing, { articleId: 'no-network', order: 9 }]);
    await signInAgain();
    await page.getByText('Done: 1 of 121 updated.').waitFor();
    await page.getByRole('button', { name: 'Items' }).click();
    const items = page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(100);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => items.count()).toBe(21);
    await items.filter({ hasText: 'The hub finds no network' }).filter({ hasText: 'Updated' }).waitFor();
    expect(await page.getByRole('link', { name: 'Page of The hub finds no network' }).getAttribute('href')).toBe(
      'https://fernlight.example.com/docs/no-network',
    );
    await page.getByText('101 to 121').waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await expect.poll(() => items.first().innerText()).toMatch(/^gone-0\s+Failed: /u);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Updated');
    await expect
      .poll(() => items.allInnerTexts())
      .toEqual([expect.stringMatching(/^The hub finds no network.*\sUpdated$/su)]);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Unknown');
    await page.getByText('There is none.').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Updated');
    await page.getByRole('link', { name: 'The hub finds no network', exact: true }).press('Enter');
    await rowOf(page, 'no-network').waitFor();
    await expect.poll(() => rowOf(page, 'pair-a-lamp').count()).toBe(0);
  });

  it('has a name, also in the browser of a colleague, and tells and repeats by keyboard what was not updated', async () => {
    const { page, ask, gateway } = scene();
    const rename = (title: string) =>
      ask('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
        input: { articles: [{ articleId: 'no-network', title }] },
      });
    // The demo does not say when its articles changed, so that they have no revision before this.
    await rename('The hub finds no network');
    const hide = async (articleId: string) => {
      await cellOf(page, articleId, 'Hidden').focus();
      await page.keyboard.press('F2');
      await page.keyboard.press('h');
      await page.keyboard.press('Enter');
    };
    await hide('no-network');
    await hide('pair-a-lamp');
    await openTab(page, 'Changes');
    await page.getByText('Checked: 2 can be sent').waitFor();
    await rename('A colleague was here');
    await page.getByRole('button', { name: 'Send 2 changes' }).press('Enter');
    await page.getByText('Done: 1 of 2 updated.').waitFor();
    // The focus is moved in the next frame.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await page
      .getByRole('article', { name: /^Change hidden of 2 articles, / })
      .getByText(/by an API token/u)
      .waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save what was not updated as CSV' }).press('Enter');
    const [header = '', row = ''] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
    expect(header).toContain('articleId,languageCode,title,categoryId,hidden,');
    expect(row).toMatch(/^no-network,en,,,true,,.*A colleague was here,NOT_ATTEMPTED,.*was expected/u);
    await page.getByRole('button', { name: 'Try these 1 again…' }).press('Enter');
    await page.getByText('Checked: 1 can be sent').waitFor();
    // The focus is moved in the next frame.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await page.getByRole('button', { name: 'Send 1 change' }).press('Enter');
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(await ask('{ article(articleId: "no-network") { hidden } }')).toEqual({ article: { hidden: true } });
    await submit([{ articleId: 'gone', order: 9 }]);
    const browser = page.context().browser();
    if (browser === null) throw new Error('The page has no browser.');
    const colleague = await openConsole(browser, gateway.url, `#token=${TOKEN}&tab=jobs`);
    for (const name of [
      'Change hidden of 2 articles',
      'Change hidden of “The hub finds no network”',
      'Update 1 article',
    ])
      await colleague.page.getByRole('heading', { name, exact: true }).waitFor();
    expect(colleague.troubles).toEqual([]);
    await colleague.page.close();
  });

  it('has a name also where a title is too long for one, and has a tab', async () => {
    const { page } = scene();
    await submit([{ articleId: 'no-network', title: 'Many\twords '.repeat(25).trim() }]);
    await signInAgain();
    await openTab(page, 'Articles');
    await cellOf(page, 'no-network', 'Hidden').focus();
    await page.keyboard.press('F2');
    await page.keyboard.press('h');
    await page.keyboard.press('Enter');
    await openTab(page, 'Changes');
    await page.getByRole('button', { name: 'Send 1 change' }).click();
    await page.getByRole('heading', { name: /^Change hidden of “Many words Many .*…$/u }).waitFor();
  });

  if (isService)
    it('that is paused, since the service refused the token, is resumed', async () => {
      const { page, cutNext, ask } = scene();
      cutNext('PUT /v2/Articles/bulkupdate', status(401));
      await submit([{ articleId: 'no-network', order: 9 }]);
      await signInAgain();
      await page.getByText('Paused: the gateway has no token for it that the service accepts.').waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Done: 1 of 1 updated.').waitFor();
      expect(await ask('{ article(articleId: "no-network") { order } }')).toEqual({ article: { order: 9 } });
    });
});

describe('a job of a gateway that is killed', NEEDS_CHROMIUM, () => {
  it('waits for its caller, who resumes it, and what was under way is unknown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-resumed-'));
    const service = await openFaultyService();
    const writable = serveWritable(service, ['a1', 'a2', 'a3']);
    const start = () =>
      startGatewayProcess({ cwd: folder, settings: { UPSTREAM_URL: service.url, UPSTREAM_BULK_SIZE: '1' } });
    writable.onNextWrites(unapplied(hang()));
    const first = await start();
    const articles = ['a1', 'a2', 'a3'].map((articleId) => ({ articleId, order: 8 }));
    await fetch(first.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: 'token-1' },
      body: JSON.stringify({ query: SUBMIT, variables: { input: { articles }, key: 'key' } }),
    });
    await expect.poll(() => writable.calls.length).toBe(1);
    await first.stop('SIGKILL');
    const gateway = await start();
    const browser = await launchChromium();
    const { page, troubles } = await openConsole(browser, new URL(gateway.url).origin, '#token=token-1&tab=jobs');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Done: 2 of 3 updated.').waitFor();
    await page.getByText('1 unknown').waitFor();
    expect(['a1', 'a2', 'a3'].map((id) => writable.article(id)?.['order'] === 8)).toEqual([false, true, true]);
    expect(troubles).toEqual([]);
    await browser.close();
    await gateway.stop('SIGKILL');
    await service.close();
    await rm(folder, { recursive: true });
  });
});
