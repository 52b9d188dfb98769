import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderState } from '../../../src/cli/bulk-update/folder-state.ts';
import { temporaryFolder } from '../../store/store.ts';

const BEFORE = '# Größe\r\n\r\nText\r\n';
const AFTER = `---\r\narticleId: a-1\r\n---\r\n${BEFORE}`;

function scene() {
  const root = realpathSync(temporaryFolder());
  const [folder, stateHome] = [join(root, 'articles'), join(root, 'state')];
  mkdirSync(folder);
  const file = join(folder, 'a.md');
  writeFileSync(file, BEFORE);
  const open = () => new FolderState({ folder, gateway: 'http://127.0.0.1:4000/graphql', stateHome });
  const stateFiles = () =>
    readdirSync(stateHome, { recursive: true, encoding: 'utf8' }).filter((name) => /creations|change/u.test(name));
  return { file, open, stateHome, stateFiles };
}

describe('the state of a folder', () => {
  it('lets a run that comes after a killed one complete the file that was being written', () => {
    const { file, open, stateHome, stateFiles } = scene();
    open().begin('a.md', 'key');
    const [begun = ''] = stateFiles();
    const change = join(stateHome, begun, '../change');
    const [before, after] = [Buffer.from(BEFORE), Buffer.from(AFTER)];
    for (let written = 0; written <= after.length; written += 1) {
      writeFileSync(change, JSON.stringify({ path: 'a.md', articleId: 'a-1', before: BEFORE }));
      writeFileSync(file, Buffer.concat([after.subarray(0, written), before.subarray(written)]));
      open();
      expect(readFileSync(file, 'utf8')).toBe(AFTER);
    }
    expect(stateFiles()).toEqual([begun]);
    for (const other of ['# Other\n', `${BEFORE}More.\n`, '']) {
      writeFileSync(change, JSON.stringify({ path: 'a.md', articleId: 'a-1', before: BEFORE }));
      writeFileSync(file, other);
      open();
      expect(readFileSync(file, 'utf8')).toBe(other);
    }
  });

  it('keeps what has begun for later runs, and nothing once all has ended', () => {
    const { open, stateFiles } = scene();
    const first = open();
    first.begin('a.md', 'key');
    const second = open();
    second.readBegun(new Set(['a.md', 'b.md']));
    expect([second.hasBegun('a.md'), second.hasBegun('b.md'), second.isLost('a.md', 'key')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(second.isLost('a.md', 'another')).toBe(true);
    expect(second.writeId('a.md', 'a-1')).toMatchObject({ ok: true });
    second.end('a.md');
    second.close();
    expect(stateFiles()).toEqual([]);
  });
});
