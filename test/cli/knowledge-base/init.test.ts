import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runGateway } from '../../support/process.ts';

it('init begins a store with a project version and its languages, once', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-init-'));
  try {
    const init = (...args: readonly string[]) => runGateway(['init', ...args], { cwd });
    expect(await init('--project-version', 'Lamps', '--languages', 'en,FR')).toMatchObject({ code: 0, stderr: '' });
    expect((await init('--project-version', 'Lamps')).stderr).toContain('there is a project version Lamps already.');
    expect((await init()).stderr).toContain('name it by --project-version NAME.');
    expect((await init('--project-version', 'x', '--languages', 'english')).code).toBe(1);
    await runGateway(['export', 'kb.json'], { cwd });
    const { project_versions, languages, articles } = JSON.parse(await readFile(join(cwd, 'kb.json'), 'utf8'));
    expect(project_versions).toMatchObject([{ name: 'Lamps', is_default: true }]);
    expect(languages).toMatchObject([
      { code: 'en', name: 'English', is_default: true },
      { code: 'fr', name: 'French', is_default: false },
    ]);
    expect(articles).toEqual([]);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
