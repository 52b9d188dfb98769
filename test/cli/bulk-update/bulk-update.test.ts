import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { status } from '../../support/faulty-service.ts';
import { type BulkUpdateScene, openBulkUpdateScene, THREE } from './bulk-update-scene.ts';
import type { JobGateway } from './job-gateway.ts';

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
  it('updates all rows, and prints how many there were', async () => {
    await writeFile(join(folder, 'articles.ndjson'), '{"articleId":"a","title":"A"}\n{"articleId":"b","order":2}\n');
    const finished = await update('articles.ndjson');
    expect(finished).toMatchObject({ code: 0, stdout: expect.stringMatching(/^updated +2$/mu) });
    expect(gateway.parts).toMatchObject([{ input: { startIndex: 0, moreToCome: false } }]);
    expect([...gateway.jobs.values()]).toMatchObject([
      {
        items: [
          { articleId: 'a', title: 'A' },
          { articleId: 'b', order: 2 },
        ],
      },
    ]);
  });

  it('sends what languages share with the last row of an article, so that no revision is older than it', async () => {
    const rows = ['a,en,A,true,7,r1', 'b,en,B,true,7,r2', 'a,de,,true,7,r3', 'A,fr,AA,true,7,r4', 'b,de,B,,7,'];
    await writeFile(
      join(folder, 'articles.csv'),
      `articleId,languageCode,title,hidden,categoryId,revision\n${rows.join('\n')}\n`,
    );
    expect(await update('articles.csv')).toMatchObject({ code: 0 });
    expect([...gateway.jobs.values()][0]?.items).toEqual([
      { articleId: 'a', languageCode: 'en', title: 'A', ifRevision: 'r1' },
      { articleId: 'b', languageCode: 'en', title: 'B', hidden: true, categoryId: '7', ifRevision: 'r2' },
      // A row without another change is sent as it is.
      { articleId: 'a', languageCode: 'de', hidden: true, categoryId: '7', ifRevision: 'r3' },
      { articleId: 'A', languageCode: 'fr', title: 'AA', hidden: true, categoryId: '7', ifRevision: 'r4' },
      { articleId: 'b', languageCode: 'de', title: 'B', categoryId: '7' },
    ]);
  });

  it('writes the rows that were not updated to a file, which makes another job', async () => {
    await writeFile(join(folder, 'articles.csv'), THREE);
    const finished = await update('articles.csv');
    expect(finished).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('line 3, missing-b: FAILED: there is no such article.'),
    });
    expect(await readFile(join(folder, 'articles.failed.csv'), 'utf8')).toBe(
      'articleId,title,_outcome,_reason,_job\r\nmissing-b,"B, b",FAILED,there is no such article.,job-1\r\n',
    );
    expect(await update('articles.failed.csv')).toMatchObject({ code: 3 });
    expect([...gateway.jobs.values()][1]?.items).toEqual([{ articleId: 'missing-b', title: 'B, b' }]);
  });

  it('sends a part again whose answer was lost, and halves one that is too large', { tags: 'long' }, async () => {
    await writeFile(join(folder, 'articles.csv'), 'articleId,order\na,1\nb,2\nc,3\nd,4\ne,5\n');
    const { answer, loseAnswer } = gateway;
    gateway.service.on('POST /graphql', answer, answer, status(413), loseAnswer, answer);
    const finished = await update('articles.csv');
    expect(finished).toMatchObject({ code: 0, stdout: expect.stringMatching(/^updated +5$/mu) });
    expect(finished.stderr).toContain('waiting: the gateway cannot be reached');
    expect(gateway.parts.map(({ input }) => [input.startIndex, input.articles.length, input.moreToCome])).toEqual([
      [0, 3, true],
      [0, 3, true],
      [3, 2, false],
    ]);
  });
});

describe('bulk-update --publish', () => {
  const publish = (...args: readonly string[]) =>
    update('articles.csv', '--publish', '--user', 'u-1', '--message', 'For all.', ...args);

  it('has the articles published, and prints how many were', { tags: 'long' }, async () => {
    await writeFile(join(folder, 'articles.csv'), 'articleId,title\na,A\nb,B\n');
    expect(await publish()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^updated +2$[\s\S]*^published +2$/mu),
    });
    expect(gateway.parts).toMatchObject([
      { input: { publish: true, userId: 'u-1', publishMessage: 'For all.', startIndex: 0 } },
    ]);
    await expect(readFile(join(folder, 'articles.failed.csv'), 'utf8')).rejects.toThrow('ENOENT');
    // With another message it is another job; without one, nothing is left to do.
    expect(await update('articles.csv', '--publish', '--user', 'u-1')).toMatchObject({ code: 0 });
    expect(await update('articles.csv')).toMatchObject({
      code: 0,
      stdout: 'rows                   2\nunchanged              2\n',
    });
    expect(gateway.jobs.size).toBe(2);
  });

  it('writes the rows that were not published to the file of failed ones', { tags: 'long' }, async () => {
    await writeFile(join(folder, 'articles.csv'), 'articleId,title\na,A\nrefused-b,B\nmissing-c,C\n');
    const finished = await publish();
    expect(finished).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('line 3, refused-b: PUBLICATION_FAILED: The user does not exist.'),
    });
    expect(finished.stdout).toMatch(/^published +1\npublish failed +1$/mu);
    expect(finished.stdout).toContain('The rows that were not updated or not published are in articles.failed.csv');
    expect(await readFile(join(folder, 'articles.failed.csv'), 'utf8')).toBe(
      'articleId,title,_outcome,_reason,_job\r\n' +
        'refused-b,B,PUBLICATION_FAILED,The user does not exist.,job-1\r\n' +
        'missing-c,C,FAILED,there is no such article.,job-1\r\n',
    );
  });

  it('previews what publishing would find', async () => {
    await writeFile(join(folder, 'articles.csv'), 'articleId,title\na,A\nrefused-b,B\nmissing-c,C\n');
    const finished = await publish('--preview');
    expect(finished.code).toBe(3);
    expect(finished.stdout).toContain('line 2, a: TITLE "Old" -> "A"; PUBLIC_VERSION_NUMBER null -> 2');
    expect(finished.stdout).toContain('line 3, refused-b: would fail: The user does not exist.');
    expect(finished.stdout).toContain('line 4, missing-c: would fail: There is no such article.\n');
    expect(gateway.parts).toEqual([]);
  });
});
