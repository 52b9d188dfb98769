import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandFolder, openCommandFolder } from '../../support/command-folder.ts';

let commands: CommandFolder;

beforeAll(async () => {
  commands = await openCommandFolder();
});
afterAll(() => commands.close());

const userIdOf = async (): Promise<string> =>
  (await commands.ask('{ teamAccounts { nodes { userId } } }')).teamAccounts.nodes[0].userId;

/** The articles of the other tests. */
const USED = new Set(['unpack-the-hub', 'pair-a-lamp', 'name-your-rooms']);

describe('bulk-update over the demo', () => {
  it('updates the example file of the README for its token alone, and finds its job again', async () => {
    await copyFile(resolve('examples/bulk-update/articles.csv'), join(commands.folder, 'articles.csv'));
    const [preview, refused] = await Promise.all([
      commands.update('articles.csv', '--preview'),
      commands.update('articles.csv', '--token', 'another'),
    ]);
    expect(preview).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^line 2, unpack-the-hub: TITLE .*^would change +2$/msu),
    });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/token/iu) });
    expect(await commands.update('articles.csv')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^updated +2$/mu),
    });
    for (const more of [[], ['--resume']])
      expect(await commands.update('articles.csv', ...more)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^unchanged +2$/mu),
      });
  });

  it('publishes what it has updated, as its preview says', async () => {
    await writeFile(
      join(commands.folder, 'publish.csv'),
      'articleId,title\nname-your-rooms,Name all rooms\nno-such-article,Lost\n',
    );
    const userId = await userIdOf();
    const nobody = await commands.update('publish.csv', '--publish', '--user', 'nobody', '--preview');
    expect(nobody).toMatchObject({ code: 3, stdout: expect.stringContaining("'nobody' does not exist") });
    const publish = ['publish.csv', '--publish', '--user', userId, '--message', 'From a file.'];
    expect(await commands.update(...publish, '--preview')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^line 2, name-your-rooms: TITLE .*\n.*line 3, no-such-article: would fail: /mu),
    });
    expect(await commands.update(...publish)).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^updated +1\nfailed +1\n[\s\S]*^published +1$/mu),
    });
    expect(
      await commands.update('publish.csv', '--publish', '--user', 'nobody', '--failed', 'nobody.csv'),
    ).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('line 2, name-your-rooms: PUBLICATION_FAILED: '),
    });
  });

  it('forks, skips or changes what is published, as it is told to', async () => {
    const userId = await userIdOf();
    const shown = async (articleId: string) => {
      const fields = 'title versionNumber latestVersionNumber publicVersionNumber';
      const { article } = await commands.ask(`{ article(articleId: "${articleId}") { ${fields} } }`);
      return article;
    };
    const { articles } = await commands.ask(
      '{ articles(first: 100, filter: { status: [PUBLISHED] }) { nodes { articleId } } }',
    );
    const [id] = articles.nodes
      .map((one: { articleId: string }) => one.articleId)
      .filter((one: string) => !USED.has(one));
    const before = await shown(id);
    const rows = async (title: string) => {
      await writeFile(join(commands.folder, `${title}.csv`), `articleId,title\n${id},${title}\n`);
      return `${title}.csv`;
    };
    expect(await commands.update(await rows('Skipped'), '--if-published', 'skip')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^not attempted +1\n.*PUBLISHED/msu),
    });
    expect(await shown(id)).toEqual(before);
    const forked = await rows('Forked');
    for (const wrong of [['fork'], ['fork', '--user', ''], ['other', '--user', userId]])
      expect(await commands.update(forked, '--if-published', ...wrong)).toMatchObject({ code: 2 });
    const fork = [forked, '--if-published', 'fork', '--user', userId];
    expect(await commands.update(...fork, '--preview')).toMatchObject({ code: 0 });
    expect(await shown(id)).toEqual(before);
    expect(await commands.update(...fork)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^updated +1$/mu) });
    const number = before.publicVersionNumber;
    const draft = { latestVersionNumber: number + 1, publicVersionNumber: number };
    expect(await shown(id)).toMatchObject({ title: 'Forked', ...draft });
    await commands.ask(
      `mutation { publishArticles(input: { articles: [{ articleId: "${id}" }], userId: "${userId}" }) { __typename } }`,
    );
    expect(await commands.update(await rows('In place'), '--if-published', 'update')).toMatchObject({ code: 0 });
    const same = { latestVersionNumber: number + 1, publicVersionNumber: number + 1 };
    expect(await shown(id)).toMatchObject({ title: 'In place', ...same });
  });

  it('puts back what a job changed that was told to keep it', async () => {
    await writeFile(
      join(commands.folder, 'kept.csv'),
      'articleId,title,hidden\nunpack-the-hub,Kept,true\npair-a-lamp,Touched,\n',
    );
    const { code, stderr } = await commands.update('kept.csv', '--keep-before');
    expect(code).toBe(0);
    const [, job = ''] = /The job is (\S+)\./u.exec(stderr) ?? [];
    await writeFile(join(commands.folder, 'editor.csv'), 'articleId,title\npair-a-lamp,By an editor\n');
    expect(await commands.update('editor.csv')).toMatchObject({ code: 0 });
    const preview = await commands.update('--undo', job, '--preview');
    expect(preview).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^pair-a-lamp: title "Touched" -> ".*" \(changed since: "By an editor"\)\nunpack-the-hub: title "Kept" -> "[^"]*", hidden true -> false\n.*Nothing was written\.$/msu,
      ),
    });
    const undone = {
      code: 3,
      stdout: expect.stringMatching(
        /^put back +1\n.*^left as is +1\npair-a-lamp: NOT_ATTEMPTED: CHANGED_SINCE; Not put back/msu,
      ),
    };
    expect(await commands.update('--undo', job)).toMatchObject(undone);
    // The same command again shows the same revert.
    expect(await commands.update('--undo', job)).toMatchObject(undone);
    expect(await commands.update('--undo', 'bm9uZQ')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such job'),
    });
    expect(await commands.update('--undo', job, '--publish')).toMatchObject({ code: 2 });
    expect(await commands.update('--undo', job, '--message', 'Why')).toMatchObject({ code: 2 });
  });

  it('puts back a job that has published, and publishes that where it is told to', async () => {
    const userId = await userIdOf();
    const shown = async () => {
      const { article } = await commands.ask(
        '{ article(articleId: "name-your-rooms") { title versionNumber latestVersionNumber publicVersionNumber } }',
      );
      return article;
    };
    const before = await shown();
    await writeFile(join(commands.folder, 'public.csv'), 'articleId,title\nname-your-rooms,By mistake\n');
    const { code, stderr } = await commands.update('public.csv', '--keep-before', '--publish', '--user', userId);
    expect(code).toBe(0);
    const [, job = ''] = /The job is (\S+)\./u.exec(stderr) ?? [];
    expect(await shown()).toMatchObject({ title: 'By mistake' });
    const undone = await commands.update('--undo', job, '--publish', '--user', userId);
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringMatching(/^published +1$/mu) });
    const after = await shown();
    // The published version was forked, and the draft is the public one now.
    expect(after).toMatchObject({ title: before.title, publicVersionNumber: after.versionNumber });
    expect(after.versionNumber).toBe(before.versionNumber + 1);
    const [, revert = ''] = /The job that puts back is (\S+)\./u.exec(undone.stderr) ?? [];
    expect(
      await commands.update('--undo', revert, '--if-published', 'update', '--publish', '--user', 'nobody'),
    ).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^put back +1\n[\s\S]*^publish failed +1\nname-your-rooms: PUBLICATION_FAILED: /mu),
    });
    expect(await shown()).toMatchObject({ title: 'By mistake' });
  });

  it('writes the rows that failed to a file that can be fed again, with a mapping of columns', async () => {
    await writeFile(
      join(commands.folder, 'mapped.csv'),
      'Article,Heading,Owner\npair-a-lamp,"A lamp, paired",x\nno-such-article,"Lost\r\ntitle",y\n',
    );
    const columns = ['--columns', 'Article=articleId,Heading=title,Owner='];
    expect(await commands.update('mapped.csv', ...columns)).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^updated +1\nfailed +1\n.*^line 3, no-such-article: FAILED: /msu),
    });
    expect(await commands.update('mapped.failed.csv', ...columns)).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^rows +1\nunchanged +0\nupdated +0\nfailed +1$/mu),
    });
  });
});
