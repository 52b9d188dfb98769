import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import type { Gateway } from '../../test/support/gateway.ts';
import {
  fillText,
  openArticle,
  openTab,
  rowOf,
  sendChanges,
  seriousIssuesInAllLooks,
  showArticle,
  textIn,
} from './support/console-page.ts';
import { describeOverStore, type StoreScene } from './support/scenes.ts';

/** The policy refuses inline code and styles of a text already where it is parsed to be sanitised. */
const REFUSAL = /^(?:Executing inline event handler|Applying inline style) violates .* The action has been blocked\.$/u;

const tests = (scene: () => StoreScene) => {
  let gateway: Gateway;
  let page: Page;

  beforeEach(() => {
    ({ gateway, page } = scene());
  });

  const storedText = async (articleId: string) => {
    const query = 'query ($id: ID!) { article(articleId: $id) { content htmlContent } }';
    const article: unknown = (await gateway.send(query, { id: articleId })).body.data?.['article'];
    const { content, htmlContent } = article as Readonly<Record<'content' | 'htmlContent', string | null>>;
    return content ?? htmlContent;
  };

  /** The write of a colleague between. */
  const write = async (change: object) => {
    const mutation = `mutation ($input: BulkUpdateArticlesInput!) {
      bulkUpdateArticles(input: $input) { ... on BulkUpdateArticlesPayload { summary { updated } } }
    }`;
    const { body } = await gateway.send(mutation, { input: { articles: [{ articleId: 'pair-a-lamp', ...change }] } });
    expect(body.data).toEqual({ bulkUpdateArticles: { summary: { updated: 1 } } });
  };

  const send = async () => {
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await page.getByLabel('Published versions').selectOption('change in place, as readers see');
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
  };

  const preview = () => page.frameLocator('iframe[title="Preview"]').locator('body');

  it('is edited as Markdown with a preview and a diff, and sent as other changes are', async () => {
    const text = await openArticle(page, 'pair-a-lamp');
    const before = await textIn(text);
    await preview().getByRole('heading', { name: 'Pair a lamp' }).waitFor();
    await fillText(page, text, `${before}\n**Then wait.**\n`);
    await preview().locator('strong', { hasText: 'Then wait.' }).waitFor();
    await page.getByRole('tab', { name: 'Changes of the text' }).click();
    await page.locator('.diff ins', { hasText: 'Then wait' }).waitFor();
    expect(await page.locator('.diff del').count()).toBe(0);
    await fillText(page, text, before);
    await page.getByText('It is as stored.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Views' }).innerText()).not.toContain('(1)');
    await fillText(page, text, `${before}\n**Then wait.**\n`);
    expect(await storedText('pair-a-lamp')).toBe(before);
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await page.getByRole('list', { name: 'Changes' }).locator('ins', { hasText: 'Then wait' }).waitFor();
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await showArticle(page);
    await page.getByRole('tab', { name: 'Changes of the text' }).click();
    await page.getByText('It is as stored.').waitFor();
    expect(await textIn(text)).toBe(`${before}\n**Then wait.**\n`);
    expect(await storedText('pair-a-lamp')).toBe(`${before}\n**Then wait.**\n`);
  });

  it('is written from the right where its language is', async () => {
    const text = await openArticle(page, 'pair-a-lamp');
    const direction = () => text.evaluate((element) => getComputedStyle(element).direction);
    expect(await direction()).toBe('ltr');
    await fillText(page, text, 'هذا نص عربي.');
    expect(await direction()).toBe('rtl');
    const shown = preview().getByText('هذا نص عربي.');
    await shown.waitFor();
    expect(await shown.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  });

  it('is shown without anything that runs, loads or leads away, and HTML stays HTML', async () => {
    const text = await openArticle(page, 'evening-scene');
    await fillText(
      page,
      text,
      '<p>Kept <b>bold</b></p><script>top.hacked = 1</script><img alt="A lamp" src="https://images.example/x.png" onerror="top.hacked = 1">' +
        '<a href="https://elsewhere.example/">away</a><form action="/x"><button>send</button></form><style>p{color:red}</style>' +
        '<p style="color:red" onclick="top.hacked = 1">plain</p><iframe src="https://elsewhere.example/"></iframe>' +
        '<svg><image href="https://images.example/y.png"/></svg><video src="https://images.example/z.mp4"></video>',
    );
    await preview().getByText('Image: A lamp').waitFor();
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
    const html = await preview().innerHTML();
    expect(html).toContain('<p>Kept <b>bold</b></p>');
    expect(html).not.toMatch(/<(?:script|img|form|button|style|iframe|svg|video)|\s(?:href|src|style|on\w+)=/u);
    expect(await page.evaluate('window.hacked')).toBe(undefined);
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(await storedText('evening-scene')).toContain('<p>Kept <b>bold</b></p>');
  });

  it('stands beside other languages, and what is stale is told', async () => {
    await write({ content: 'Newer.' });
    const text = await openArticle(page, 'pair-a-lamp');
    await page.getByRole('tab', { name: 'Languages' }).click();
    const german = page.getByRole('list', { name: 'Languages' }).getByRole('listitem').filter({ hasText: 'de: ' });
    expect(await german.innerText()).toContain('Stale: en was changed later');
    expect(await page.getByLabel('The other text').inputValue()).toContain('# Eine Lampe koppeln');
    expect(await textIn(text)).toBe('Newer.');
  });

  it('never holds the page, however long its preview and comparison take', async () => {
    const text = await openArticle(page, 'pair-a-lamp');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const scriptMs = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
    };
    const before = await scriptMs();
    // Without a bound this takes for ever.
    await fillText(page, text, '*a_'.repeat(66_000));
    await page
      .getByText('A preview of this text could not be made in a second, so it is shown as it is written.')
      .waitFor();
    expect(await page.locator('.plain-text').innerText()).toContain('*a_*a_*a_');
    expect(await scriptMs()).toBeLessThan(before + 500);
    await fillText(page, text, '**Short** again.');
    await preview().locator('strong', { hasText: 'Short' }).waitFor();
    await page.getByRole('tab', { name: 'Changes of the text' }).click();
    await page.locator('.diff ins', { hasText: '**Short** again.' }).waitFor();
    // A browser types many lines slowly, so that they are set at once.
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index * 7919} ${index}`).join('\n');
    await text.evaluate((area, value) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', value);
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, lines);
    await page.locator('.diff').waitFor();
    await fillText(page, text, 'As short as before.');
    await page.locator('.diff ins', { hasText: 'As short as before.' }).waitFor();
  });

  it('shows which words of a line differ, without leaving out a part of a word', async () => {
    const text = await openArticle(page, 'pair-a-lamp');
    const before = await textIn(text);
    const changed = before.split('\n').find((line) => line.split(' ').length > 6) ?? '';
    const [first = '', ...rest] = changed.split(' ');
    await fillText(page, text, before.replace(changed, [`${first}-new`, ...rest].join(' ')));
    await page.getByRole('tab', { name: 'Changes of the text' }).click();
    await page.locator('.diff ins').waitFor();
    expect(await page.locator('.diff ins').innerText()).toContain(rest.join(' '));
    expect(await page.locator('.diff ins mark').allInnerTexts()).toEqual(['-new']);
    expect(await page.locator('.diff').innerText()).not.toContain('…');
  });

  it('has the keys of an editor, goes on with lists, and leaves the keys of the page alone', async () => {
    const text = await openArticle(page, 'pair-a-lamp');
    await fillText(page, text, 'Hold');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+B');
    await expect.poll(() => textIn(text)).toBe('**Hold**');
    await page.keyboard.press('ControlOrMeta+B');
    await page.keyboard.press('ControlOrMeta+I');
    await page.keyboard.press('ControlOrMeta+K');
    await expect.poll(() => textIn(text)).toBe('_[Hold](https://)_');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n\n- one\ntwo / and ?\n\n');
    await expect.poll(() => textIn(text)).toBe('_[Hold](https://)_\n\n- one\n- two / and ?\n');
    const typed = await textIn(text);
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(() => textIn(text)).not.toBe(typed);
    await page.keyboard.press('Tab');
    expect(await text.evaluate((editor) => editor.matches(':focus'))).toBe(false);
    await openTab(page, 'Articles');
    await openArticle(page, 'evening-scene');
    await fillText(page, text, 'Dim');
    await page.keyboard.press('ControlOrMeta+A');
    await page.getByRole('button', { name: 'Bold' }).click();
    await expect.poll(() => textIn(text)).toBe('<strong>Dim</strong>');
  });

  it('is opened from the selection and by a link, and left by the way back of the browser', async () => {
    await rowOf(page, 'pair-a-lamp').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Open the article' }).click();
    await page.getByLabel('Text of Pair a lamp').waitFor();
    expect(await page.getByRole('link', { name: 'Its page for readers' }).getAttribute('href')).toBe(
      'https://fernlight.example.com/docs/pair-a-lamp',
    );
    await page.getByRole('tab', { name: 'Languages' }).click();
    await page.getByRole('link', { name: 'de: Eine Lampe koppeln' }).click();
    await page.getByLabel('Text of Eine Lampe koppeln').waitFor();
    await page.evaluate('history.back()');
    await page.getByLabel('Text of Pair a lamp').waitFor();
    await page.evaluate('history.back()');
    await rowOf(page, 'pair-a-lamp').waitFor();
  });

  it("shows a colleague's newer write beside the own one and the base, and keeps the own one on top of it", async () => {
    await write({ content: '# Pair a lamp\n\n1. Off and on.\n2. Near the hub.\n3. Wait.\n' });
    const text = await openArticle(page, 'pair-a-lamp');
    const before = await textIn(text);
    await fillText(page, text, `${before}\nAnd then wait.\n`);
    const theirs = before.replace('# Pair a lamp', '# Pair a lamp quickly');
    await write({ content: theirs, title: 'Pair a lamp quickly' });
    await openTab(page, 'Changes (1)');
    await page.getByText('1 would fail').waitFor();
    await page.getByText(/Would fail: .*no longer has the revision/u).waitFor();
    await page.getByRole('link', { name: 'Pair a lamp' }).click();
    const newer = page.getByRole('region', { name: 'Somebody else has changed this article since you began' });
    await newer.getByRole('region', { name: 'Theirs' }).locator('ins', { hasText: '# Pair a lamp quickly' }).waitFor();
    await newer.getByRole('region', { name: 'Mine' }).locator('ins', { hasText: 'And then wait.' }).waitFor();
    expect(await newer.getByRole('row', { name: 'Title' }).getByRole('cell').allInnerTexts()).toEqual([
      'Pair a lamp quickly',
      'unchanged',
      'Pair a lamp',
    ]);
    await newer.getByText('The text as you began').click();
    expect(await newer.locator('.plain-text').innerText()).toBe(before);
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await newer.getByRole('button', { name: 'Keep mine on top of theirs' }).click();
    await newer.waitFor({ state: 'detached' });
    expect(await textIn(text)).toBe(`${theirs}\nAnd then wait.\n`);
    await send();
    expect(await storedText('pair-a-lamp')).toBe(`${theirs}\nAnd then wait.\n`);
  });

  it('asks where both change the same lines, and takes theirs or the own one', async () => {
    const text = await openArticle(page, 'pair-a-lamp');
    await fillText(page, text, 'Mine.');
    await write({ content: 'Theirs.' });
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.getByText('Both change the same lines.').waitFor();
    await page.getByRole('button', { name: 'Keep my text in place of theirs' }).click();
    await send();
    expect(await storedText('pair-a-lamp')).toBe('Mine.');
    await showArticle(page);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('My title');
    await write({ title: 'Their title' });
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toBe('Their title');
    expect(await page.getByRole('navigation', { name: 'Views' }).innerText()).not.toContain('(1)');
  });

  it('has a long text in a part of the window, without a ring around the view', async () => {
    await fillText(page, await openArticle(page, 'pair-a-lamp'), 'A line.\n\n'.repeat(400));
    await page.getByRole('tab', { name: 'Changes of the text' }).click();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Jobs' }).press('Enter');
    await page.goBack();
    const view = page.getByRole('region', { name: 'Article', exact: true });
    await expect.poll(() => view.evaluate((section) => section === document.activeElement)).toBe(true);
    expect(await view.evaluate((section) => getComputedStyle(section).outlineStyle)).toBe('none');
    for (const width of [390, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
    }
  });

  it('has nothing serious for axe-core', async () => {
    await fillText(page, await openArticle(page, 'pair-a-lamp'), '# Another\n\nText.');
    for (const side of ['Preview', 'Changes of the text', 'Languages']) {
      await page.getByRole('tab', { name: side }).click();
      if (side === 'Languages') await page.getByLabel('The other text').waitFor();
      expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    }
  });
};

describeOverStore('the page of an article', tests, REFUSAL);
