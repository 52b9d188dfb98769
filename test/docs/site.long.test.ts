import { globSync } from 'node:fs';
import { posix } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM, openPage } from '../support/chromium.ts';
import { type BuiltSite, buildSite, checkSiteTypes, NEEDS_SITE_PACKAGES } from './built-site.ts';

/** The links of a page to other pages and files of the site. */
const linksOf = (html: string): readonly string[] =>
  [...html.matchAll(/<a [^>]*href="(?<href>[^"]+)"/gu)]
    .map(({ groups }) => groups?.['href'] ?? '')
    .filter((href) => !/^[a-z]+:/iu.test(href));

/** Vue has taken the page over, and has complained where that is not the page that was built. Runs in the browser. */
const isMounted = (): boolean => Reflect.has(document.querySelector('#app') ?? {}, '_vnode');

const hasAnchor = (html: string, anchor: string): boolean => html.includes(`id="${decodeURIComponent(anchor)}"`);

/** Null where the link of the page leads to a page, and to a heading where it names one. */
function linkProblem(site: BuiltSite, page: string, href: string): string | null {
  const [path = '', anchor = ''] = href.split('#');
  const resolved = path === '' ? page : posix.join(posix.dirname(page), path);
  const target = path.startsWith('/') ? path : resolved;
  const file = target.endsWith('/') ? `${target}index.html` : target;
  if (!site.pages.includes(file)) return `${page}: there is no ${href}`;
  return anchor === '' || hasAnchor(site.htmlOf(file), anchor) ? null : `${page}: ${href} leads to no heading`;
}

describe('the site of the docs', NEEDS_SITE_PACKAGES.skip ? NEEDS_SITE_PACKAGES : NEEDS_CHROMIUM, () => {
  let site: BuiltSite;
  let browser: Browser;

  beforeAll(async () => {
    site = await buildSite();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** A page of the site that can reach nothing else, and everything that it complains of. */
  async function open() {
    const { page, troubles } = await openPage(browser, site.url);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
    });
    return { page, problems: () => [...troubles, ...complaints] };
  }

  const colourOf = (page: Page, selector: string, name: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

  it('has sources without errors of the compiler', async () => {
    expect(await checkSiteTypes()).toBe('');
  });

  it('has every page of docs/, in the list beside each page', () => {
    const expected = globSync('docs/**/*.md').map((path) => path.replace('docs', '').replace(/\.md$/u, '.html'));
    expect(site.pages).toEqual(expected.sort());
    const listed = linksOf(site.htmlOf('/quick-start.html')).map((href) => href.replace(/\/$/u, '/index.html'));
    expect(site.pages.filter((page) => !listed.includes(page))).toEqual([]);
  });

  it('has links that lead to pages and headings that are there', () => {
    const problems = site.pages.flatMap((page) =>
      linksOf(site.htmlOf(page)).map((href) => linkProblem(site, page, href)),
    );
    expect(problems.length).toBeGreaterThan(site.pages.length);
    expect([...new Set(problems)].filter((problem) => problem !== null)).toEqual([]);
  });

  it('shows each page without a complaint, another host, or a scroll bar on a phone', async () => {
    const { page, problems } = await open();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of site.pages) {
      await page.goto(site.url + path);
      await page.waitForFunction(isMounted);
      expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, width]).toEqual([path, 360]);
    }
    expect(problems()).toEqual([]);
    await page.close();
  });

  it('finds what is searched for, and leads there', async () => {
    const { page, problems } = await open();
    await page.goto(`${site.url}/quick-start.html`);
    await page
      .getByRole('button', { name: /search/iu })
      .first()
      .click();
    await page.locator('.VPLocalSearchBox input').fill('JOB_KEEP_DAYS');
    await page.locator('.VPLocalSearchBox .result', { hasText: 'Settings' }).first().click();
    await page.getByRole('heading', { name: 'JOB_KEEP_DAYS' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/reference/settings.html');
    expect(problems()).toEqual([]);
    await page.close();
  });

  it('has pictures that change with the mode', async () => {
    const { page, problems } = await open();
    await page.goto(`${site.url}/concepts/outcomes.html`);
    const picture = '.picture svg[role="img"]';
    expect(await page.locator(picture).getAttribute('aria-label')).toContain('not attempted');
    const text = () => colourOf(page, `${picture} text`, 'fill');
    const light = [await text(), await colourOf(page, 'body', 'background-color')];
    await page.getByRole('switch', { name: /dark/iu }).first().click();
    await expect.poll(async () => [await text(), await colourOf(page, 'body', 'background-color')]).not.toEqual(light);
    const [dark] = [await text()];
    expect(dark).not.toBe(light[0]);
    expect(problems()).toEqual([]);
    await page.close();
  });
});
