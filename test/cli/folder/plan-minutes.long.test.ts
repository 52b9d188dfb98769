import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FolderService, openFolderService } from '../../support/folder-service.ts';
import { type Limited, limitedTo } from '../../support/limited-service.ts';

/** A minute of the service, in which it permits 60 calls, passes in these milliseconds. */
const MINUTE_MS = 6_000;

let folder: FolderService;
let limited: Limited;

beforeAll(async () => {
  folder = await openFolderService({
    behaviourOf: (forwarded) => {
      limited = limitedTo({ calls: 60, windowMs: MINUTE_MS }, forwarded);
      return limited.behaviour;
    },
  });
});
afterAll(() => folder.close());

/** Plans, applies at the beginning of a minute of the service, and compares what the plan said with what it took. */
async function planAndApply(name: string) {
  const planned = await folder.run('plan', 'docs', '--publish', '--user', 'embedded-store', '--json', '--out', name);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  const { cost }: { cost: { calls: number; minutes: number } } = JSON.parse(planned.stdout);
  await expect.poll(() => limited.remaining(folder.token), { interval: 10 }).toBe(60);
  const [before, windows] = [limited.accepted(), limited.windows.length];
  const applied = await folder.run('apply', name);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  const calls = limited.accepted() - before;
  // The first minute begins with the first call.
  const minutes = limited.windows.length - windows - 1;
  return { cost, calls, minutes, stdout: applied.stdout };
}

describe('a plan over a service that permits 60 calls a minute', () => {
  it('names the minutes of its creations and translations, right within a fifth', async () => {
    await Promise.all(['en', 'fr'].map((language) => folder.writePages(language, 300, 'Text.')));
    const { cost, calls, minutes, stdout } = await planAndApply('one.plan');
    expect(stdout).toBe('created              300\ntranslated           300\npublished            600\n');
    expect(cost.minutes).toBe(5);
    expect({ calls, isRight: Math.abs(cost.calls / calls - 1) < 0.2 }).toEqual({ calls, isRight: true });
    expect({ minutes, isRight: Math.abs(cost.minutes / minutes - 1) < 0.2 }).toEqual({ minutes, isRight: true });
  });

  it('reads the texts of a large folder in requests that the gateway permits, and knows what changes cost', async () => {
    await folder.writePages('en', 300, 'Another text.');
    const { cost, calls, minutes, stdout } = await planAndApply('two.plan');
    expect(stdout).toBe('unchanged            300\nchanged              300\npublished            300\n');
    expect({ calls, isRight: Math.abs(cost.calls / calls - 1) < 0.2 }).toEqual({ calls, isRight: true });
    expect([cost.minutes, minutes]).toEqual([0, 0]);
  });
});
