import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { openPage } from '../../../test/support/chromium.ts';

/** The console in a browser. */
export interface ConsolePage {
  readonly page: Page;
  /** Errors of the page and what its policy refuses. */
  readonly troubles: readonly string[];
  /** Takes out what a test has made of it. */
  forget(trouble: RegExp): void;
}

/** Opens the console of a gateway, with a fragment such as `#token=…`. The page can reach the gateway only. */
export async function openConsole(
  browser: Browser,
  gatewayUrl: string,
  place: string | { readonly path: string; readonly fragment: string } = '',
): Promise<ConsolePage> {
  const { path, fragment } = typeof place === 'string' ? { path: '/console', fragment: place } : place;
  const { page, troubles } = await openPage(browser, gatewayUrl);
  let refusals: readonly string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (?:401|403)/u.test(message.text()))
      refusals = [...refusals, message.text()];
  });
  await page.goto(`${gatewayUrl}${path}${fragment}`);
  return {
    page,
    get troubles() {
      return [...troubles, ...refusals];
    },
    forget(trouble) {
      refusals = refusals.filter((refusal) => !trouble.test(refusal));
    },
  };
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** The issues that axe-core calls serious or critical, each with its first element. The policy keeps scripts out that a page adds, so that it is evaluated. */
export async function seriousIssues(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
  const { violations }: AxeResults = await page.evaluate('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** The windows and colour schemes in which the console is looked at. */
export const LOOKS = [320, 768, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** What is wider than the window, so that the whole page has to be scrolled sideways. */
const wideParts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const isOutside = (element: Element) => element.getBoundingClientRect().right > clientWidth + 1;
    const [widest] = scrollWidth > clientWidth ? [...document.querySelectorAll('main *')].filter(isOutside) : [];
    return widest ? [`the page has ${scrollWidth} pixels: ${widest.outerHTML.slice(0, 200)}`] : [];
  });

/** The serious issues in all of them, and what has to be scrolled sideways beside the grid. */
export async function seriousIssuesInAllLooks(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const issues = [...(await seriousIssues(page)), ...(await wideParts(page))];
    found.push(...issues.map((issue) => `${width} ${colorScheme} ${issue}`));
  }
  return found;
}

/** The row of an article. The column of IDs has to be shown. */
export const rowOf = (page: Page, articleId: string): Locator =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByText(articleId, { exact: true }) });

const COLUMNS = {
  Title: 'title',
  State: 'state',
  Category: 'categoryId',
  Hidden: 'hidden',
  Order: 'order',
  Translation: 'translationStatus',
} as const;

/** A cell of an article, by the name of its column. */
export const cellOf = (page: Page, articleId: string, name: keyof typeof COLUMNS): Locator =>
  rowOf(page, articleId).locator(`[data-column="${COLUMNS[name]}"]`);

/** Opens what a button of the toolbar opens, where it is not open. */
export async function openPopover(page: Page, name: 'Filter' | 'Columns' | 'CSV'): Promise<Locator> {
  const opened = page.getByRole('dialog', { name, exact: true });
  if (!(await opened.isVisible())) await page.getByRole('button', { name, exact: true }).click();
  return opened;
}

/** Sets a filter, and closes what had to be opened for it. */
export async function chooseFilter(page: Page, label: string, option: string): Promise<void> {
  await (await openPopover(page, 'Filter')).getByRole('combobox', { name: label }).selectOption(option);
  await page.keyboard.press('Escape');
}

/** Sets the day since which articles were changed; '' removes the filter. */
export async function chooseSince(page: Page, day: string): Promise<void> {
  await (await openPopover(page, 'Filter')).getByLabel('Changed since').fill(day);
  await page.keyboard.press('Escape');
}

export const openTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click();

/** Sends the changes that are shown, with new drafts of published versions in the name of the first account. */
export async function sendChanges(page: Page): Promise<void> {
  const account = page.getByLabel('in the name of');
  if (await account.isVisible()) await account.selectOption({ index: 1 });
  await page.getByRole('button', { name: /^Send \d/u }).click();
}

/** Opens the page of an article of the list, and returns the editor of its text. */
export async function openArticle(page: Page, articleId: string): Promise<Locator> {
  await cellOf(page, articleId, 'Title').click();
  await page.keyboard.press('ControlOrMeta+Enter');
  const editor = page.getByLabel(/^Text of /u);
  await editor.waitFor();
  return editor;
}

/** Types a text in place of the whole one of an editor. */
export async function fillText(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

/** Shows the page of the last opened article again. */
export const showArticle = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Article', exact: true }).click();

/** The text in an editor that is short enough to be shown whole. */
export const textIn = async (editor: Locator): Promise<string> =>
  (await editor.locator('.cm-line').allTextContents()).join('\n');

/** Answers the question of a dialog by the button of this name. */
export const answer = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
