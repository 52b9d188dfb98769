import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

describe('the page of clients', () => {
  it('is what a run of all clients gives', async () => {
    const program = ['integrations/test/clients/compatibility/main.ts', '--check'];
    expect(await promisify(execFile)(process.execPath, program)).toEqual({ stdout: '', stderr: '' });
  });
});
