import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM, openPage } from './support/chromium.ts';
import { NEEDS_NGINX, startNginx } from './support/nginx.ts';
import { startGatewayProcess } from './support/process.ts';

describe('a gateway behind nginx', NEEDS_NGINX, () => {
  it('opens GraphiQL with the token of a link', NEEDS_CHROMIUM, async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-proxied-'));
    const gateway = await startGatewayProcess({ cwd });
    const { host } = new URL(gateway.url);
    const nginx = await startNginx(
      (port) => `server { listen 127.0.0.1:${port}; location / { proxy_pass http://${host}; } }`,
    );
    const url = `http://127.0.0.1:${nginx.port}`;
    const browser = await launchChromium();
    const { page } = await openPage(browser, url);
    await page.goto(`${url}/graphql#token=${gateway.token}`);
    await page.getByRole('button', { name: /execute query/iu }).click();
    await page.locator('.graphiql-response').getByText('nodes').first().waitFor();
    expect(page.url()).toBe(`${url}/graphql`);
    await browser.close();
    await nginx.stop();
    await gateway.stop();
    await rm(cwd, { recursive: true });
  });
});
