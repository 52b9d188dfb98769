import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { AUDIENCE, ISSUER, type JwtIssuer, openJwtIssuer } from '../../test/support/jwt-issuer.ts';
import { type RunningGateway, startGatewayProcess } from '../../test/support/process.ts';
import { openConsole, rowOf } from './support/console-page.ts';

describe('a page of the gateway that another page has opened', NEEDS_CHROMIUM, () => {
  let cwd: string;
  let issuer: JwtIssuer;
  let gateway: RunningGateway;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-other-pages-'));
    issuer = await openJwtIssuer();
    const settings = {
      DATABASE_URL: 'sqlite::memory:',
      API_TOKEN: 'kbg_of-the-gateway',
      CLIENT_JWKS_URL: issuer.jwksUrl,
      CLIENT_JWT_ISSUER: ISSUER,
      CLIENT_JWT_AUDIENCE: AUDIENCE,
    };
    gateway = await startGatewayProcess({ cwd, settings });
    origin = gateway.url.replace('/graphql', '');
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await issuer?.close();
    await rm(cwd, { recursive: true });
  });

  const jwtOf = (sub: string) => issuer.sign({ sub, scope: 'read articles:write' });

  it.each(['/console', '/graphql'])('%s leaves no handle on its window', async (path) => {
    const page = await browser.newPage();
    await page.goto('data:text/html,<p>another page</p>');
    const opened = page.waitForEvent('popup');
    await page.evaluate((url) => {
      const handle = open(url);
      Object.assign(globalThis, { isClosed: () => handle === null || handle.closed });
    }, `${origin}${path}`);
    const popup = await opened;
    await popup.waitForLoadState();
    await expect.poll(() => page.evaluate('isClosed()')).toBe(true);
    expect(await popup.evaluate(() => opener)).toBeNull();
    await page.context().close();
  });

  it('keeps who is signed in, and says who that is, when its fragment changes', async () => {
    const { page, troubles } = await openConsole(browser, origin, `#token=${await jwtOf('mara')}`);
    await rowOf(page, 'pair-a-lamp').waitFor();
    await page.getByText(`Signed in: mara (${ISSUER})`).waitFor();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.headers()['authorization'] ?? ''));
    const other = await jwtOf('mallory');
    await page.evaluate((token) => location.assign(`#token=${token}`), other);
    await expect.poll(() => page.url()).not.toContain('token');
    await page.evaluate(() => location.assign('#language=de'));
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    expect(sent.some((header) => header.includes(other))).toBe(false);
    expect(await page.getByText('Signed in:').textContent()).toBe(`Signed in: mara (${ISSUER})`);
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('takes the token of a link while nobody is signed in', async () => {
    const { page } = await openConsole(browser, origin);
    await page.getByLabel('API token or JWT').waitFor();
    const token = await jwtOf('mara');
    await page.evaluate((text) => location.assign(`#token=${text}`), token);
    await page.getByText('Signed in: mara').waitFor();
    await page.close();
  });
});
