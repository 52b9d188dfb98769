import { execFileSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLineWriter } from '../../src/cli/line-writer.ts';

describe('a line writer', () => {
  it('writes the lines of one turn of the event loop together, in their order', async () => {
    const written: string[] = [];
    const write = createLineWriter((text) => written.push(text));
    write('1\n');
    write('2\n');
    expect(written).toEqual([]);
    await turn();
    write('3\n');
    await turn();
    expect(written).toEqual(['1\n2\n', '3\n']);
  });

  it('writes what is left when the process ends, however it ends', () => {
    const script = (end: string) => `import { createLineWriter } from './src/cli/line-writer.ts';
      createLineWriter((text) => process.stdout.write(text))('the last\\n');
      ${end}`;
    const run = (end: string) => {
      try {
        return execFileSync(process.execPath, ['--input-type=module', '--eval', script(end)], { stdio: 'pipe' });
      } catch (error) {
        if (error instanceof Error && 'stdout' in error) return error.stdout;
        throw error;
      }
    };
    for (const end of ['', 'process.exit(3)', 'throw new Error("a bug")']) expect(String(run(end))).toBe('the last\n');
  });
});
