import { describe, expect, it } from 'vitest';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { openFirstView } from './support/first-view.ts';

describe('the first view of a fresh start', NEEDS_CHROMIUM, () => {
  it('is at most 300 kB as it is sent, from its own gateway alone', async () => {
    const browser = await launchChromium();
    const { received, troubles } = await openFirstView(browser);
    await browser.close();
    const paths = received.map(([path]) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['/console', '/graphql', expect.stringMatching(/^\/console\/main-/u)]),
    );
    expect(received.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(300_000);
    expect(received.every(([, bytes]) => bytes > 0)).toBe(true);
    expect(troubles).toEqual([]);
  });
});
