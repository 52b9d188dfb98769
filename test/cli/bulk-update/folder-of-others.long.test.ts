import { execFileSync } from 'node:child_process';
import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningGateway, runGateway, startGatewayProcess } from '../../support/process.ts';

const SECRET = 'secret of the builder\n';

/** Whoever sends a pull request to a repository of documents decides what is in the folder. */
describe('bulk-update of a folder that others fill', () => {
  let root: string;
  let gateway: RunningGateway;
  let cwd: string;
  let outside: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kb-gateway-others-'));
    gateway = await startGatewayProcess({ cwd: root });
  });

  afterAll(async () => {
    await gateway.stop();
    await rm(root, { recursive: true });
  });

  beforeEach(async () => {
    cwd = await mkdtemp(join(root, 'run-'));
    outside = join(cwd, 'outside');
    await mkdir(join(cwd, 'articles'));
    await mkdir(join(outside, 'folder'), { recursive: true });
    for (const name of ['profile', 'folder/secret.md']) await writeFile(join(outside, name), SECRET);
  });

  const update = (...args: readonly string[]) =>
    runGateway(['bulk-update', 'articles', '--user', 'team-ines', ...args], {
      cwd,
      settings: { KB_API_TOKEN: gateway.token, KB_GATEWAY_URL: gateway.url, XDG_STATE_HOME: join(cwd, 'state') },
    });

  const write = (name: string, text: string) => writeFile(join(cwd, 'articles', name), text);
  const expectUntouched = async () => {
    for (const name of ['profile', 'folder/secret.md'])
      expect(await readFile(join(outside, name), 'utf8')).toBe(SECRET);
    expect(await readdir(join(outside, 'folder'))).toEqual(['secret.md']);
  };

  it.each(['.kb-gateway-creations', 'articles.failed.ndjson', '.kb-gateway-1.part'])(
    'writes nothing through a link %s',
    async (name) => {
      await write('new.md', `# Through ${name}\n`);
      await symlink(join(outside, 'profile'), join(cwd, 'articles', name));
      expect(await update()).toMatchObject({ code: 0 });
      expect(await readFile(join(cwd, 'articles/new.md'), 'utf8')).toMatch(/^---\narticleId: /u);
      await expectUntouched();
      expect((await readdir(join(cwd, 'articles'))).toSorted()).toEqual([name, 'new.md'].toSorted());
    },
  );

  it('reads no file behind a link, names each, and sends the others', async () => {
    await write('new.md', '# Beside links\n');
    await symlink(join(outside, 'folder/secret.md'), join(cwd, 'articles/linked.md'));
    await symlink(join(outside, 'folder'), join(cwd, 'articles/chapter'));
    await symlink('/nowhere', join(cwd, 'articles/_category_.yml'));
    await link(join(outside, 'profile'), join(cwd, 'articles/hard.md'));
    execFileSync('mkfifo', [join(cwd, 'articles/pipe.md')]);
    expect(await update()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^updated +1$/mu),
      stderr: expect.stringContaining(
        'Left out, since links are not followed: _category_.yml, chapter, hard.md, linked.md.\n',
      ),
    });
    await expectUntouched();
  });

  it('says before anything is sent that the file for rows is a link, also to nowhere', async () => {
    await write('new.md', '---\narticleId: pair-a-lamp\n---\n# Pair\n');
    await symlink(join(outside, 'not-there'), join(cwd, 'articles.failed.ndjson'));
    expect(await update()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('articles.failed.ndjson exists already'),
    });
    await expect(lstat(join(outside, 'not-there'))).rejects.toThrow('ENOENT');
  });

  it('creates no article whose file can get no ID', async () => {
    // A folder of its own state that cannot be made is found before anything is sent, too.
    await write('new.md', '# Without a state\n');
    await writeFile(join(cwd, 'state'), 'no folder');
    const refused = await update();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('state');
    expect(await readFile(join(cwd, 'articles/new.md'), 'utf8')).toBe('# Without a state\n');
  });
});
