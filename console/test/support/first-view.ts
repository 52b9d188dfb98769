import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openPage } from '../../../test/support/chromium.ts';
import { startGatewayProcess } from '../../../test/support/process.ts';

export interface FirstView {
  /** Milliseconds from the start of the process until it has printed its links. */
  readonly startMs: number;
  /** Milliseconds from the opening of the printed link until the first article is on screen. */
  readonly viewMs: number;
  /** The files and answers that were received until then, each with its bytes as they were sent. */
  readonly received: readonly (readonly [path: string, bytes: number])[];
  readonly troubles: readonly string[];
}

/** Starts what `npm start` starts, in an empty folder, and opens the link that it prints first in a page with an empty cache. */
export async function openFirstView(browser: Browser): Promise<FirstView> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-first-view-'));
  const begun = performance.now();
  const gateway = await startGatewayProcess({ cwd, terminal: true });
  const startMs = performance.now() - begun;
  try {
    return { startMs, ...(await openLink(browser, /http\S+/u.exec(gateway.printed())?.[0] ?? '')) };
  } finally {
    await gateway.stop();
    await rm(cwd, { recursive: true });
  }
}

async function openLink(browser: Browser, link: string): Promise<Omit<FirstView, 'startMs'>> {
  const { page, troubles } = await openPage(browser, new URL(link).origin);
  const received: Promise<readonly [string, number]>[] = [];
  page.on('requestfinished', (request) => {
    const sizes = request.sizes().then(({ responseBodySize }) => responseBodySize);
    received.push(sizes.then((bytes) => [new URL(request.url()).pathname, bytes] as const));
  });
  const opened = performance.now();
  await page.goto(link);
  await page.getByRole('gridcell', { name: 'Pair a lamp', exact: true }).last().waitFor();
  const viewMs = performance.now() - opened;
  const view = { viewMs, received: await Promise.all(received), troubles };
  await page.close();
  return view;
}
