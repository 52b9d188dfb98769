import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { AUDIENCE, ISSUER, type JwtIssuer, openJwtIssuer } from '../../test/support/jwt-issuer.ts';
import { type RunningGateway, startGatewayProcess } from '../../test/support/process.ts';
import { openConsole, openTab, rowOf } from './support/console-page.ts';

/** The controls that write, by the scope that they need. */
const CONTROLS = {
  'articles:write': ['Changes', 'Find and replace…', 'Open a CSV', 'to'],
  'articles:publish': ['Publish…', 'Unpublish…'],
  'groups:write': ['Preview'],
} as const;

const SCOPES = ['articles:write', 'articles:publish', 'groups:write'] as const;

describe('somebody who signs in by a JWT', NEEDS_CHROMIUM, () => {
  let cwd: string;
  let issuer: JwtIssuer;
  let gateway: RunningGateway;
  let browser: Browser;

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-scopes-'));
    issuer = await openJwtIssuer();
    const settings = {
      DATABASE_URL: 'sqlite::memory:',
      API_TOKEN: 'kbg_of-the-gateway',
      CLIENT_JWKS_URL: issuer.jwksUrl,
      CLIENT_JWT_ISSUER: ISSUER,
      CLIENT_JWT_AUDIENCE: AUDIENCE,
    };
    gateway = await startGatewayProcess({ cwd, settings });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await issuer?.close();
    await rm(cwd, { recursive: true });
  });

  it.each([[[]], [['articles:write']], [['articles:publish']], [['groups:write']], [[...SCOPES]]] as const)(
    'with the scopes read %j sees the controls of these alone',
    async (scopes) => {
      const jwt = await issuer.sign({ scope: ['read', ...scopes].join(' ') });
      const { page, troubles } = await openConsole(browser, gateway.url.replace('/graphql', ''), `#token=${jwt}`);
      await rowOf(page, 'pair-a-lamp').getByRole('checkbox').check();
      const shown: string[] = [];
      const look = async () => {
        for (const name of Object.values(CONTROLS).flat()) {
          const counts = await Promise.all([
            page.getByRole('button', { name, exact: true }).count(),
            page.getByRole('combobox', { name, exact: true }).count(),
            page.getByLabel(name, { exact: true }).count(),
          ]);
          if (counts.some((count) => count > 0)) shown.push(name);
        }
      };
      await look();
      await openTab(page, 'Reader groups');
      await page
        .getByRole('button', { name: /members?$/u })
        .first()
        .click();
      await page.getByLabel('Description').waitFor();
      await look();
      const permitted: readonly string[] = SCOPES.filter((scope) => scopes.some((own) => own === scope)).flatMap(
        (scope) => CONTROLS[scope],
      );
      expect([...new Set(shown)].sort()).toEqual([...permitted].sort());
      expect(await page.getByLabel('Description').isEnabled()).toBe(permitted.includes('Preview'));
      expect(troubles).toEqual([]);
      await page.close();
    },
  );
});
