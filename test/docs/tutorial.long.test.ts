import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM } from '../support/chromium.ts';
import { portOf } from '../support/ports.ts';
import { type RunningGateway, runGateway, startGatewayProcess } from '../support/process.ts';
import { blocksOf } from './page-steps.ts';

const tutorial = await readFile('docs/tutorial.md', 'utf8');

const fileOf = (name: string): string => blocksOf(tutorial).find(({ note }) => note === name)?.text ?? '';

describe('the end of docs/tutorial.md', NEEDS_CHROMIUM, () => {
  let browser: Browser;
  let folder: string;
  let page = '';
  let origin = '';
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));

  beforeAll(async () => {
    browser = await launchChromium();
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-tutorial-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${portOf(server.address())}`;
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
    await rm(folder, { recursive: true });
  });

  it('is a page of the reader with the articles of the reader', async () => {
    for (const name of ['guide/hello.md', 'guide/lamps/pair.md']) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), fileOf(name));
    }
    const run = async (...args: readonly string[]) => {
      const settings = gateway ? { KB_GATEWAY_URL: gateway.url, KB_API_TOKEN: gateway.token } : {};
      expect(await runGateway(args, { cwd: folder, settings })).toMatchObject({ code: 0 });
    };
    let gateway: RunningGateway | null = null;
    await run('init', '--project-version', 'Guide', '--languages', 'en');
    gateway = await startGatewayProcess({ cwd: folder, settings: { CORS_ORIGINS: origin } });
    await run('plan', 'guide', '--out', 'guide.plan', '--user', 'embedded-store');
    await run('apply', 'guide.plan');
    page = fileOf('page.html').replace('http://127.0.0.1:4000', new URL(gateway.url).origin);
    const tab = await browser.newPage();
    await tab.goto(origin);
    await tab.locator('#token').fill(gateway.token);
    await tab.locator('#token').press('Enter');
    await tab.locator('#list li').first().waitFor();
    expect(await tab.locator('#list li').allTextContents()).toEqual(['Hello', 'Pair a lamp']);
    await gateway.stop();
  });
});
