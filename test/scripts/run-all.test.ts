import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const runAll = (...commands: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('scripts/run-all.ts'), ...commands], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

it('a step of lint that fails does not hide what the next ones say', () => {
  expect(runAll('echo one && exit 3', 'echo two', 'echo three && false')).toEqual({
    status: 1,
    stdout: 'one\ntwo\nthree\n',
    stderr: 'failed: echo one && exit 3\nfailed: echo three && false\n',
  });
  expect(runAll('echo one', 'echo two')).toEqual({ status: 0, stdout: 'one\ntwo\n', stderr: '' });
});
