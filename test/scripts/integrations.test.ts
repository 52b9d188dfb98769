import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INTEGRATIONS, INTEGRATIONS_MISSING } from '../support/mounts.ts';
import { needs } from '../support/needs.ts';

describe('the programs of integrations/', needs(existsSync(INTEGRATIONS), INTEGRATIONS_MISSING), () => {
  it('compile with the packages that they are run with', () => {
    const compiler = ['node_modules/typescript/bin/tsc', '-p', 'integrations'];
    const { status, stdout, stderr } = spawnSync(process.execPath, compiler, { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
