import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FolderService, openFolderService } from '../../support/folder-service.ts';

const PAGES = 240;

let folder: FolderService;

beforeAll(async () => {
  folder = await openFolderService({ settings: { MAX_UPSTREAM_CALLS: '200' } });
});
afterAll(() => folder.close());

/** Removes the files of the pages from this number up to another. */
async function removePages(from: number, to: number): Promise<void> {
  const files = await readdir(folder.docs, { recursive: true });
  for (const file of files) {
    const index = Number(/page-(\d+)\.md$/u.exec(file)?.[1] ?? -1);
    if (index >= from && index < to) await rm(join(folder.docs, file));
  }
}

/** Plans and applies, and counts the calls that the service gets for that. */
async function planAndApply(name: string, ...options: readonly string[]) {
  const planned = await folder.run('plan', 'docs', '--user', 'embedded-store', '--json', '--out', name, ...options);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  const { cost }: { cost: { calls: number } } = JSON.parse(planned.stdout);
  // Another gateway, since the reads of the plan are not counted for those of apply.
  await folder.restartGateway();
  const before = folder.service.received.length;
  const applied = await folder.run('apply', name);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  const calls = folder.service.received.length - before;
  return { planned: cost.calls, calls, stdout: applied.stdout };
}

const isRight = (planned: number, calls: number): boolean => Math.abs(planned / calls - 1) < 0.2;

describe('the calls that a plan names', () => {
  it('are those of its creations and publications', async () => {
    await folder.writePages('en', PAGES);
    await folder.writePages('fr', 150);
    const { planned, calls } = await planAndApply('create.plan', '--publish');
    expect({ planned, calls, isRight: isRight(planned, calls) }).toMatchObject({ isRight: true });
  });

  it('are none where nothing is to be done', async () => {
    const { stdout } = await folder.run('plan', 'docs', '--user', 'embedded-store', '--publish');
    expect(stdout).toContain('Over a service, apply takes about 0 calls');
  });

  it.each([
    ['hide', 'unchanged            330\nhidden                60\n', [180, 240]],
    ['unpublish', 'unchanged             60\nunpublished          330\n', [30, 180]],
  ] as const)('are those of articles that it would only %s', async (gone, expected, [from, to]) => {
    await removePages(from, to);
    const { planned, calls, stdout } = await planAndApply(`${gone}.plan`, '--gone', gone);
    expect(stdout).toBe(expected);
    expect({ planned, calls, isRight: isRight(planned, calls) }).toMatchObject({ isRight: true });
  });
});
