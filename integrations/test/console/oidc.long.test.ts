import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cellOf, openTab, rowOf } from '../../../console/test/support/console-page.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../../test/support/chromium.ts';
import { type RunningGateway, startGatewayProcess } from '../../../test/support/process.ts';

const AUDIENCE = 'https://kb.example';

/** The module of JavaScript: oidc-provider has no types of its own. */
interface IssuerModule {
  openOidcIssuer(audience: string): Promise<OidcIssuer>;
}

interface OidcIssuer {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** It may be changed at any time: the life of JWTs, their audience, the error in place of a sign-in, and whether all is refused. */
  readonly behaviour: {
    seconds: number;
    audience: string;
    error: { readonly error: string; readonly error_description: string } | null;
    isAway: boolean;
  };
  /** The number of granted JWTs. */
  grants(): number;
  /** Registers the client `console`. Until then, nobody is answered. */
  register(redirectUri: string): void;
  close(): Promise<void>;
}

describe('the console that signs people in by OpenID Connect', NEEDS_CHROMIUM, () => {
  let cwd: string;
  let issuer: OidcIssuer;
  let gateway: RunningGateway;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the page's policy refuses, errors of the page, and requests that the gateway has not accepted. */
  let troubles: string[];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-oidc-'));
    const { openOidcIssuer }: IssuerModule = await import(resolve('integrations/test/console/oidc-issuer.js'));
    issuer = await openOidcIssuer(AUDIENCE);
    const settings = {
      DATABASE_URL: 'sqlite::memory:',
      API_TOKEN: 'kbg_of-the-gateway',
      CLIENT_JWKS_URL: issuer.jwksUrl,
      CLIENT_JWT_ISSUER: issuer.issuer,
      CLIENT_JWT_AUDIENCE: AUDIENCE,
      CONSOLE_OIDC_ISSUER: issuer.issuer,
      CONSOLE_OIDC_CLIENT_ID: 'console',
    };
    gateway = await startGatewayProcess({ cwd, settings });
    issuer.register(gateway.url.replace(/graphql$/u, 'console/signed-in'));
    context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    context.setDefaultTimeout(120_000);
    page = await context.newPage();
    troubles = [];
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(message.text());
    });
    page.on('response', async (response) => {
      if (response.url() !== gateway.url) return;
      const text = await response.text().catch(() => '');
      if (text.includes('UNAUTHENTICATED')) troubles.push('refused');
    });
  });
  afterEach(async () => {
    await context.close();
    const { log } = await gateway.stop();
    await issuer.close();
    await rm(cwd, { recursive: true });
    // The callback's query has the code.
    expect(log).not.toMatch(/code=|state=/u);
  });

  const open = (fragment = '') => page.goto(`${gateway.url.replace(/graphql$/u, 'console')}${fragment}`);
  const signInButton = () => page.getByRole('button', { name: `Sign in at ${new URL(issuer.issuer).host}` });
  const continueAsAda = (where: Page) => where.getByRole('button', { name: 'Continue as ada' }).click();
  const articles = () => rowOf(page, 'pair-a-lamp').waitFor();

  async function signIn(fragment = ''): Promise<void> {
    await open(fragment);
    await signInButton().click();
    await continueAsAda(page);
    await articles();
  }

  it('signs in with one click, keeps the view, and asks nobody again after a reload', async () => {
    await signIn('#text=lamp');
    expect(new URL(page.url()).hash).toBe('#text=lamp');
    await page.getByText(`Signed in: ada (${issuer.issuer})`).waitFor();
    expect(gateway.log()).toContain('/console/signed-in');
    await page.reload();
    await articles();
    expect(new URL(page.url()).hash).toBe('#text=lamp');
    const other = await context.newPage();
    await other.goto(gateway.url.replace(/graphql$/u, 'console'));
    await rowOf(other, 'pair-a-lamp').waitFor();
    expect(troubles).toEqual([]);
  });

  it('holds no token where another page or a later visitor could find it', async () => {
    await signIn();
    const kept = await page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        location.href,
        document.documentElement.outerHTML,
        history.length,
      ]),
    );
    expect(kept).not.toMatch(/eyJ|verifier|code=/u);
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  });

  it('admits the issuer alone, and has its callback framed by nobody else', async () => {
    const response = await open();
    const { 'content-security-policy': policy, ...headers } = response?.headers() ?? {};
    expect(policy?.split('; ')).toEqual(
      expect.arrayContaining([
        `connect-src 'self' ${issuer.issuer}/token`,
        `frame-src 'self' ${issuer.issuer}`,
        "frame-ancestors 'none'",
      ]),
    );
    expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin', 'x-frame-options': 'DENY' });
    const callback = await fetch(gateway.url.replace(/graphql$/u, 'console/signed-in'));
    expect(callback.headers.get('content-security-policy')).toMatch(/connect-src 'self';.*frame-ancestors 'self'$/u);
    await signInButton().waitFor();
  });

  it('renews the JWT before it ends, so that no request is refused and nothing typed is lost', async () => {
    issuer.behaviour.seconds = 10;
    await signIn();
    await cellOf(page, 'pair-a-lamp', 'Title').dblclick();
    await page.keyboard.type('Pair any lamp');
    await page.keyboard.press('Enter');
    // The gateway tolerates five seconds after the end of a JWT; these renewals take longer than the life of the first one.
    await expect.poll(issuer.grants).toBeGreaterThan(16);
    await openTab(page, 'Jobs');
    await openTab(page, 'Changes (1)');
    await page.getByText('Pair any lamp').first().waitFor();
    expect(troubles).toEqual([]);
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
  });

  it('asks again in another window once the issuer has signed the person out, and keeps what was typed', async () => {
    issuer.behaviour.seconds = 2;
    await signIn();
    await cellOf(page, 'pair-a-lamp', 'Title').dblclick();
    await page.keyboard.type('Pair any lamp');
    await page.keyboard.press('Enter');
    await context.clearCookies();
    // Another view is another request, and the first after the end of the JWT shows that it has ended.
    let views = 0;
    await expect
      .poll(async () => {
        views += 1;
        await page.evaluate((text) => location.assign(`#text=${text}`), `lamp${views}`);
        return page.getByRole('heading', { name: 'Sign in again' }).isVisible();
      })
      .toBe(true);
    issuer.behaviour.seconds = 300;
    const [window] = await Promise.all([context.waitForEvent('page'), signInButton().click()]);
    await continueAsAda(window);
    await openTab(page, 'Changes (1)');
    await page.getByText('Pair any lamp').first().waitFor();
    await expect.poll(() => window.isClosed()).toBe(true);
  });

  it('says what the issuer refuses', async () => {
    issuer.behaviour.error = { error: 'access_denied', error_description: 'Ada is on holiday.' };
    await open();
    await signInButton().click();
    await continueAsAda(page);
    await page.getByText(`${issuer.issuer} refuses to sign in: Ada is on holiday.`).waitFor();
    issuer.behaviour.error = null;
    await signInButton().click();
    await continueAsAda(page);
    await articles();
  });

  it('says that the gateway cannot read what the issuer publishes', async () => {
    issuer.behaviour.isAway = true;
    await open();
    await page.getByText(`The gateway cannot read what ${issuer.issuer} publishes.`).waitFor();
    await page.getByLabel('API token or JWT').waitFor();
  });

  it('says that the JWTs are for another audience', async () => {
    issuer.behaviour.audience = 'https://other.example';
    await open();
    await signInButton().click();
    await continueAsAda(page);
    await page
      .getByText(
        `${issuer.issuer} gives no JWT that is for this gateway: it needs the audience ${AUDIENCE}, and got https://other.example, console.`,
      )
      .waitFor();
  });
});
