import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { formatJsonLine } from '../../../src/core/base/logger.ts';
import { createLineWriter } from '../../../src/server/process/open-log.ts';

describe('a line writer', () => {
  it('writes the lines of some milliseconds together, in their order', async () => {
    const written: string[] = [];
    const write = createLineWriter({
      write: (text) => written.push(text),
      bufferedChars: () => 0,
      formatLine: formatJsonLine,
    });
    write('1\n');
    write('2\n');
    expect(written).toEqual([]);
    await expect.poll(() => written).toEqual(['1\n2\n']);
    write('3\n');
    await expect.poll(() => written).toEqual(['1\n2\n', '3\n']);
    const long = 'x'.repeat(100_000);
    write(long);
    expect(written.at(-1)).toBe(long);
  });

  it('writes the rest when the process exits, for whatever reason', () => {
    const script = (end: string) => `import { createLineWriter } from './src/server/process/open-log.ts';
      import { formatJsonLine } from './src/core/base/logger.ts';
      const write = (text) => process.stdout.write(text);
      createLineWriter({ write, bufferedChars: () => 0, formatLine: formatJsonLine })('the last\\n');
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

  it('keeps a few megabytes for a reader that does not read, and reports the dropped lines', async () => {
    const script = `import { createLineWriter } from './src/server/process/open-log.ts';
      import { once } from 'node:events';
      import { formatJsonLine } from './src/core/base/logger.ts';
      const write = createLineWriter({
        write: (text) => process.stdout.write(text),
        bufferedChars: () => process.stdout.writableLength,
        formatLine: formatJsonLine,
      });
      for (let n = 0; n < 3_000; n += 1) {
        write('x'.repeat(10_000) + '\\n');
        if (n % 100 === 99) await new Promise(setImmediate);
      }
      process.send(process.stdout.writableLength);
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
      write('the last\\n');
      process.disconnect();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const [waiting] = await once(child, 'message');
    expect(waiting).toBeGreaterThan(1e6);
    expect(waiting).toBeLessThan(5e6);
    const lines = (await text(child.stdout ?? Readable.from([]))).trimEnd().split('\n');
    expect(lines.at(-1)).toBe('the last');
    const dropped = JSON.parse(lines.at(-2) ?? '');
    expect(dropped).toMatchObject({ level: 'warn', message: 'lines of the log were dropped' });
    expect(dropped.lines + lines.length - 2).toBe(3_000);
  });
});
