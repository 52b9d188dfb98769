import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { needs } from '../../support/needs.ts';

const IS_INSTALLED = existsSync('integrations/node_modules/graphql-request');

describe('the page of clients', needs(IS_INSTALLED, 'the packages of integrations/ are not installed'), () => {
  it('is what a run of all clients gives', async () => {
    const program = ['test/clients/compatibility/main.ts', '--check'];
    expect(await promisify(execFile)(process.execPath, program)).toEqual({ stdout: '', stderr: '' });
  });
});
