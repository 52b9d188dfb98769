import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM, openPage, type WatchedPage } from '../support/chromium.ts';
import {
  checkPageTypes,
  NEEDS_PAGE_PACKAGES,
  type Site,
  seriousIssues,
  startPage,
  wideParts,
} from '../support/example-page.ts';

describe('the source of the example page', NEEDS_PAGE_PACKAGES, () => {
  it('compiles against the types of the schema', async () => {
    expect(await checkPageTypes()).toBe('');
  });
});

describe('the example page', NEEDS_PAGE_PACKAGES.skip ? NEEDS_PAGE_PACKAGES : NEEDS_CHROMIUM, () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = await startPage();
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });

  let watched: WatchedPage;
  let page: Page;

  beforeEach(async () => {
    watched = await openPage(browser, site.url);
    ({ page } = watched);
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto(`${site.url}/#password=${site.password}`);
    await button('Sign in').click();
    await page.getByText('Page 1, 7 in all').waitFor();
  });

  afterEach(async () => {
    await page.close();
    expect(watched.troubles).toEqual([]);
  });

  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      return activeElement instanceof HTMLInputElement
        ? activeElement.labels?.[0]?.textContent
        : activeElement?.textContent;
    });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const box = (name: string) => page.getByRole('checkbox', { name });
  const alert = () => page.getByRole('alert');
  const items = (region: string) => page.getByRole('region', { name: region }).getByRole('listitem');

  async function openGroup(title: string): Promise<void> {
    await page.getByRole('button', { name: title }).click();
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
  }

  async function openArticles(): Promise<void> {
    await button('Articles').click();
    await page.getByRole('table').waitFor();
  }

  it('says that a password is wrong, and keeps the one of the link nowhere', async () => {
    expect(page.url()).toBe(`${site.url}/`);
    await button('Sign out').click();
    await page.getByLabel('Password').fill('wrong');
    await button('Sign in').click();
    await page.getByText('The name or the password is wrong.').waitFor();
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).toBe('[{},{}]');
  });

  it('sends the IDs of its documents, and no text', async () => {
    const bodies: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/graphql') bodies.push(request.postData() ?? request.url());
    });
    await openArticles();
    await button('Reader groups').click();
    await openGroup('Staff');
    expect(bodies.length).toBeGreaterThan(3);
    const sha256Hash = expect.stringMatching(/^sha256:[\da-f]{64}$/u);
    for (const body of bodies) {
      const { variables, operationName, ...others } = JSON.parse(body);
      expect(others).toEqual({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
    }
  });

  it('keeps the session when the page is reloaded, and ends it with Sign out', async () => {
    await page.reload();
    await page.getByText('Page 1, 7 in all').waitFor();
    await button('Sign out').click();
    await button('Sign in').waitFor();
    await page.reload();
    await button('Sign in').waitFor();
  });

  it('tells a sign-in that may not change groups from one that is not accepted', async () => {
    await button('Sign out').click();
    await page.getByLabel('Name').selectOption('chidi');
    await page.getByLabel('Password').fill(site.password);
    await button('Sign in').click();
    await openGroup('Staff');
    await page.getByRole('textbox', { name: 'Title' }).fill('Staff of today');
    await button('Preview').click();
    await page.getByText('Nothing was written. You may not do this.').waitFor();
    const otherKey = 'eyJhbGciOiJFUzI1NiIsImtpZCI6IngifQ.e30.AA';
    await page.route('**/graphql', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${otherKey}` } }),
    );
    await button('Preview').click();
    await page.getByText('Nothing was written. Sign in again.').waitFor();
    await button('Articles').click();
    await page.getByText('The gateway does not accept your sign-in.').waitFor();
  });

  it('lists the reader groups, a page at a time', async () => {
    expect(await items('Reader groups').count()).toBe(5);
    await button('Next').click();
    await page.getByRole('button', { name: 'Former testers Nothing · 1 member' }).waitFor();
    expect(await items('Reader groups').count()).toBe(2);
    expect(await button('Next').isDisabled()).toBe(true);
    expect(await focused()).toBe('Next');
    await button('Previous').click();
    await page.getByRole('button', { name: 'Installers' }).waitFor();
  });

  it('does not send a scope without the items it needs', async () => {
    await openGroup('Staff');
    for (const kind of ['Chosen versions', 'Chosen languages', 'Chosen categories']) {
      await page.getByRole('radio', { name: kind }).check();
      expect(await button('Preview').isDisabled()).toBe(true);
    }
    await box('Rooms').check();
    expect(await button('Preview').isEnabled()).toBe(true);
  });

  it('changes what a group may read from one level to another', async () => {
    await openGroup('Owners of the classic hub');
    await page.getByRole('radio', { name: 'Chosen languages' }).check();
    await box('Fernlight Classic · German').check();
    await button('Preview').click();
    await button('Save').waitFor();
    expect(await items('This would change:').allTextContents()).toEqual([
      'access: Chosen versions: Fernlight Classic → Chosen languages: Fernlight Classic · German',
    ]);
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await openGroup('Owners of the classic hub');
    expect(await box('Fernlight Classic · German').isChecked()).toBe(true);
  });

  it('shows the members to be removed, and removes them only on Save', async () => {
    await openGroup('Installers');
    await box('Bo Lindqvist').uncheck();
    await box('greta@example.net').uncheck();
    await button('Preview').click();
    const removed = page.getByRole('list', { name: 'Members to be removed' }).getByRole('listitem');
    await removed.first().waitFor();
    expect(await removed.allTextContents()).toEqual(['Bo Lindqvist <bo@example.com>', 'greta@example.net']);
    await page.reload();
    await page.getByRole('button', { name: 'Installers Chosen categories · 4 members' }).click();
    await box('Bo Lindqvist').uncheck();
    await button('Preview').click();
    await button('Save').click();
    await page.getByRole('button', { name: 'Installers Chosen categories · 3 members' }).waitFor();
    await box('Bo Lindqvist').waitFor({ state: 'detached' });
  });

  it('removes a preview when the form changes', async () => {
    await openGroup('Reviewers');
    await box('Emi Sato').uncheck();
    await button('Preview').click();
    await button('Save').waitFor();
    await box('Emi Sato').check();
    await button('Save').waitFor({ state: 'detached' });
  });

  it('reports that a write may have been applied when there is no response', async () => {
    await openGroup('German readers');
    await page.getByRole('radio', { name: 'Nothing' }).check();
    await button('Preview').click();
    await button('Save').waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await button('Save').click();
    await page.getByText('It may have been written, or not').waitFor();
  });

  it('shows a broken rule at its field', async () => {
    await openGroup('Staff');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Staff/2');
    await button('Preview').click();
    await alert().waitFor();
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('title must not contain /.').first().waitFor();
  });

  it('shows which article of a bulk update breaks a rule', async () => {
    await openArticles();
    await box('Select A wake-up light').check();
    await box('Select Make an evening scene').check();
    await page.getByLabel('Order of Make an evening scene').fill('0');
    await button('Preview').click();
    await alert().waitFor();
    expect(await alert().getByRole('listitem').allTextContents()).toEqual([
      'Make an evening scene: order must be 1 or more.',
    ]);
  });

  it('shows the outcome of each article when one was deleted meanwhile', async () => {
    await openArticles();
    await box('Select Pair a lamp').check();
    await box('Select Name your rooms').check();
    await box('Select Holiday mode').check();
    await page.getByLabel('Title of Pair a lamp').fill('Pair any lamp');
    await page.getByLabel('Category of Name your rooms').selectOption('Scenes');
    await box('Hidden of Holiday mode').uncheck();
    await page.getByLabel('Order of Holiday mode').fill('7');
    await button('Preview').click();
    await button('Send 3 updates').waitFor();
    expect(await items('3 of 3 would change').allTextContents()).toEqual(
      expect.arrayContaining([
        'title: Pair a lamp → Pair any lamp',
        'category: Rooms → Scenes',
        'hidden: true → false',
        'order: none → 7',
      ]),
    );

    await page.route('**/graphql', async (route) => {
      const postData = route.request().postData()?.replace('"name-your-rooms"', '"deleted-meanwhile"');
      await route.fallback({ ...(postData && { postData }) });
    });
    await button('Send 3 updates').click();
    await page.getByRole('region', { name: '2 of 3 updated' }).waitFor();
    expect(await items('2 of 3 updated').allTextContents()).toEqual([
      'Pair a lamp Updated',
      expect.stringMatching(/^Name your rooms Failed: .*deleted-meanwhile.*no such article/u),
      'Holiday mode (draft) Updated',
    ]);
    await page.getByRole('row', { name: 'Pair any lamp' }).waitFor();
    expect(await box('Select Name your rooms').isChecked()).toBe(true);
    expect(await box('Select Pair any lamp').isChecked()).toBe(false);
  });

  it('adds readers who are found by name or email', async () => {
    await openGroup('German readers');
    const search = page.getByRole('searchbox', { name: 'Add a reader, by name or email' });
    await search.fill('nobody at all');
    await page.getByText('Nobody is found.').waitFor();
    await search.fill('LINDQVIST');
    await page.getByText('All who are found are members already.').waitFor();
    await search.fill('dana@');
    await button('Add Dana Novak <dana@example.com>').click();
    expect(await focused()).toBe('Add a reader, by name or email');
    await search.fill('sato');
    await button('Add Emi Sato <emi@example.com>').click();
    await box('Emi Sato').click();
    expect(
      await page.getByRole('group', { name: 'Readers who join' }).evaluate((group) => group.matches(':focus')),
    ).toBe(true);
    await page.getByRole('searchbox', { name: 'Add an invited person, by email' }).fill('HUGO@');
    await button('Add hugo@example.net').click();
    await button('Preview').click();
    const added = page.getByRole('list', { name: 'Members to be added' }).getByRole('listitem');
    await added.first().waitFor();
    expect(await added.allTextContents()).toEqual(['Dana Novak <dana@example.com>', 'hugo@example.net']);
    expect(await focused()).toBe('This would change:');
    await button('Save').click();
    await page.getByRole('button', { name: 'German readers Chosen languages · 4 members' }).waitFor();
    expect(await focused()).toBe('Saved.');
  });

  it('says among how many people it searches names, and searches more', async () => {
    await page.route('**/graphql', async (route) => {
      const postData = route.request().postData()?.replace('"first":100', '"first":2');
      await route.fallback({ ...(postData && { postData }) });
    });
    await openGroup('Staff');
    const search = page.getByRole('searchbox', { name: 'Add a reader, by name or email' });
    await search.fill('farid@');
    await button('Add Farid Haddad <farid@example.com>').waitFor();
    await search.fill('haddad');
    await page.getByText('Nobody is found.').waitFor();
    await page.getByText('Names are searched among the first 2 people only, email addresses among all.').waitFor();
    await button('Search more names').click();
    await button('Add Farid Haddad <farid@example.com>').waitFor();
    expect(await focused()).toBe('Add a reader, by name or email');
    await button('Search more names').waitFor({ state: 'detached' });
  });

  it('asks before unsaved changes are lost', async () => {
    const asked: string[] = [];
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.type() === 'confirm' ? dialog.dismiss() : dialog.accept();
    });
    await openGroup('Reviewers');
    expect(await focused()).toBe('Change the group');
    await button('Articles').click();
    await page.getByRole('table').waitFor();
    await button('Reader groups').click();
    await openGroup('Reviewers');
    expect(asked).toEqual([]);
    await page.getByRole('textbox', { name: 'Title' }).fill('Reviewers of all');
    await button('Articles').click();
    await page.getByRole('button', { name: 'Staff' }).click();
    await button('Sign out').click();
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Reviewers of all');
    await page.reload();
    expect(asked).toEqual(['confirm', 'confirm', 'confirm', 'beforeunload']);
  });

  it('asks to sign in again when the session has ended, and keeps what was typed', async () => {
    await page.clock.install();
    await page.reload();
    await openGroup('Reviewers');
    await page.getByRole('textbox', { name: 'Title' }).fill('Reviewers of all');
    await page.clock.fastForward('04:00');
    await button('Preview').click();
    await button('Save').waitFor();
    await page.context().clearCookies();
    await page.clock.fastForward('05:00');
    await page.getByRole('textbox', { name: 'Title' }).fill('Reviewers of everything');
    await button('Preview').click();
    await page.getByText('Your session has ended. What you typed is still here.').waitFor();
    await page.getByLabel('Password').fill(site.password);
    await button('Sign in').click();
    await button('Preview').click();
    await page.getByText('Reviewers → Reviewers of everything').waitFor();
  });

  it('keeps what is typed as an order, and says why it cannot be sent', async () => {
    await openArticles();
    await box('Select A wake-up light').check();
    const order = page.getByLabel('Order of A wake-up light');
    for (const typed of ['2.5', '-1', 'two', '99999999999']) {
      await order.fill(typed);
      expect(await order.inputValue()).toBe(typed);
      await page.getByText('The order is a whole number from 1 to 2147483647.').waitFor();
      expect(await button('Preview').isDisabled()).toBe(true);
    }
    await order.fill('');
    await page.getByText('An order cannot be removed: it stays 2.').waitFor();
    expect(await button('Preview').isEnabled()).toBe(true);
  });

  it('finds articles by their words, selects all that are found, and says why it does not search', async () => {
    await openArticles();
    const words = page.getByRole('searchbox', { name: 'With the words' });
    await words.fill('hub');
    await button('Select all 5').click();
    await page.getByText('5 selected on all pages.').waitFor();
    await page.getByLabel('Only directly in').selectOption('First steps');
    await page.getByText('3 articles are found.').waitFor();
    await words.fill('no such word');
    await page.getByText('No article is found.').waitFor();
    await words.fill('?!');
    await page.getByText('must have a letter or a digit').waitFor();
    expect(await words.getAttribute('aria-invalid')).toBe('true');
    await words.fill('');
    await page.getByRole('table').waitFor();
    await button('Clear selection').click();
    await page.getByText('0 selected', { exact: true }).waitFor();
  });

  it('selects the articles of a category and of all pages, and sends only what would change', async () => {
    await openArticles();
    await page.getByLabel('Only directly in').selectOption('Troubleshooting');
    await page.getByText('Page 1, 2 in all').waitFor();
    await button('Select all 2').click();
    await page.getByText('2 selected on all pages.').waitFor();
    await page.getByLabel('Only directly in').selectOption('any category');
    await button('Select all 10').click();
    await page.getByText('10 selected', { exact: true }).waitFor();
    await page.getByLabel('Order of A wake-up light').fill('3');
    await page.getByLabel('Title of Make an evening scene').fill('An evening scene');
    await button('Preview').click();
    await button('Send 2 updates').waitFor();
    await page.getByLabel('Title of Make an evening scene').fill('Make an evening scene');
    await button('Preview').click();
    await button('Send 1 update').click();
    await page.getByRole('heading', { name: '1 of 1 updated' }).waitFor();
    expect(await focused()).toBe('1 of 1 updated');
    await page.getByText('9 selected', { exact: true }).waitFor();
  });

  it.each([
    { colorScheme: 'light', width: 1400 },
    { colorScheme: 'dark', width: 390 },
  ] as const)(
    'has no serious accessibility issue, and scrolls up and down only, in $colorScheme colours at $width pixels',
    async (look) => {
      await page.emulateMedia({ colorScheme: look.colorScheme });
      await page.setViewportSize({ width: look.width, height: 800 });
      const found = async (view: string) =>
        [...(await seriousIssues(page)), ...(await wideParts(page))].map((issue) => `${view}: ${issue}`);
      const issues = [await found('groups')];
      await openGroup('Installers');
      await box('Chidi Okafor').uncheck();
      await page.getByRole('searchbox', { name: 'Add a reader' }).fill('a');
      await button('Add Dana Novak <dana@example.com>').waitFor();
      issues.push(await found('search'));
      await page.getByRole('textbox', { name: 'Title' }).fill('Installers/2');
      await button('Preview').click();
      await alert().waitFor();
      issues.push(await found('group with an issue'));
      await page.getByRole('textbox', { name: 'Title' }).fill('Installers');
      await button('Preview').click();
      await button('Save').waitFor();
      issues.push(await found('preview of a group'));
      await openArticles();
      await box('Select A wake-up light').check();
      await page.getByLabel('Order of A wake-up light').fill('x');
      issues.push(await found('articles'));
      await page.getByLabel('Order of A wake-up light').fill('9');
      await button('Preview').click();
      await button('Send 1 update').waitFor();
      issues.push(await found('preview of articles'));
      await button('Sign out').click();
      await page.getByLabel('Password').fill('wrong');
      await button('Sign in').click();
      await alert().waitFor();
      issues.push(await found('sign-in'));
      expect(issues.flat()).toEqual([]);
    },
  );
});
