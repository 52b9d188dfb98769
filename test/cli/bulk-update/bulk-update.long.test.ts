import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawnGateway } from '../../support/process.ts';
import { type BulkUpdateScene, openBulkUpdateScene, THREE } from './bulk-update-scene.ts';
import { type JobGateway, openJobGateway } from './job-gateway.ts';

let scene: BulkUpdateScene;
let folder: string;
let gateway: JobGateway;

beforeEach(async () => {
  scene = await openBulkUpdateScene();
  ({ folder, gateway } = scene);
});

afterEach(() => scene.close());

const update = (...args: readonly string[]) => scene.update(...args);

describe('bulk-update', () => {
  it('sends what changes something, again after it was changed by others, and nothing where all is done', async () => {
    const first = '[{"articleId":"a","title":"A"},{"articleId":"b","title":"Old"}]';
    await writeFile(join(folder, 'first.json'), first);
    await writeFile(join(folder, 'second.json'), first.replace('"A"', '"Old"'));
    for (const file of ['first.json', 'second.json', 'first.json'])
      expect(await update(file)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^rows +2\nunchanged +1\nupdated +1$/mu),
      });
    expect(await update('first.json')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^unchanged +2$/mu) });
    expect(await update('first.json', '--resume')).toMatchObject({ code: 0 });
    expect([...gateway.jobs.values()].map(({ items }) => items.length)).toEqual([1, 1, 1]);
  });

  it('sends all rows once for a key of its own, and refuses to send them twice', async () => {
    await writeFile(join(folder, 'articles.json'), '[{"articleId":"a","title":"Old"}]');
    expect(await update('articles.json', '--key', 'own')).toMatchObject({ code: 0 });
    expect(await update('articles.json', '--key', 'own')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('were submitted before, as the job job-1'),
    });
    expect(await update('articles.json', '--key', 'own', '--resume')).toMatchObject({ code: 0 });
    expect([...gateway.jobs.keys()]).toEqual(['own']);
  });

  it('does not send rows that an unfinished job has, and waits for it where it is told to', async () => {
    await writeFile(join(folder, 'articles.json'), '[{"articleId":"a","title":"A"}]');
    gateway.closedState = 'RUNNING';
    const child = spawnGateway(['bulk-update', 'articles.json'], { cwd: folder, settings: scene.settings });
    await expect.poll(() => gateway.operations()).toContain('BulkUpdateJob');
    child.kill('SIGINT');
    await once(child, 'exit');
    expect(await update('articles.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('which is RUNNING. Nothing was sent now.'),
    });
    const resumed = update('articles.json', '--resume');
    await expect.poll(() => gateway.operations()).toContain('BulkUpdateJobs');
    for (const job of gateway.jobs.values()) job.state = 'COMPLETED';
    expect(await resumed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^unchanged +1$/mu) });
    expect(gateway.jobs.size).toBe(1);
  });

  it('lists all wrong rows before it sends anything', async () => {
    await writeFile(join(folder, 'articles.csv'), 'articleId,order\na,0\n,2\n');
    expect(await update('articles.csv')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/2 problems\.\n {2}line 2: order .*\n {2}line 3: articleId /u),
    });
    expect(gateway.service.received).toEqual([]);
  });

  it('says when the token is refused, and when nothing listens', async () => {
    await writeFile(join(folder, 'articles.csv'), THREE);
    expect(await update('articles.csv', '--token', 'another')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A valid API token is required.'),
    });
    await gateway.close();
    expect(await update('articles.csv')).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') });
    gateway = await openJobGateway();
  });

  it('resumes a job that is paused', async () => {
    await writeFile(join(folder, 'articles.csv'), 'articleId,order\na,1\n');
    gateway.closedState = 'PAUSED';
    const finished = await update('articles.csv');
    expect(finished).toMatchObject({ code: 0, stderr: expect.stringContaining('goes on with your token') });
  });

  it('leaves the job running at Ctrl-C, and says how to come back', async () => {
    await writeFile(join(folder, 'articles.csv'), 'ID,order\na,1\n');
    gateway.closedState = 'RUNNING';
    const child = spawnGateway(['bulk-update', 'articles.csv', '--columns', 'ID=articleId'], {
      cwd: folder,
      settings: scene.settings,
    });
    const output = text(child.stderr);
    await expect.poll(() => gateway.operations()).toContain('BulkUpdateJob');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect([code, await output]).toEqual([
      1,
      expect.stringMatching(
        /the job goes on\.\nCome back with: node .*main\.ts bulk-update articles\.csv --columns ID=articleId --resume$/mu,
      ),
    ]);
  });

  it('previews what would change, and submits nothing', async () => {
    await writeFile(join(folder, 'articles.csv'), THREE);
    const { code, stdout } = await update('articles.csv', '--preview');
    expect([code, stdout.split('\n').slice(0, 4)]).toEqual([
      3,
      [
        'line 2, a: TITLE "Old" -> "A"',
        'line 4, c: TITLE "Old" -> "C"',
        'line 3, missing-b: would fail: There is no such article.',
        'would change           2',
      ],
    ]);
    expect(gateway.operations()).toEqual(['BulkUpdateCheck', 'BulkUpdatePreview']);
  });
});
