import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { NEEDS_INTEGRATIONS } from '../support/mounts.ts';

describe('the programs of integrations/', NEEDS_INTEGRATIONS, () => {
  // The tests apart, since Hive Gateway changes types of graphql that src uses.
  it.each(['integrations', 'integrations/test', 'integrations/examples/urql-page'])(
    'compile with the packages that they are run with: %s',
    (folder) => {
      const compiler = ['node_modules/typescript/bin/tsc', '-p', folder];
      const { status, stdout, stderr } = spawnSync(process.execPath, compiler, { encoding: 'utf8' });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    },
  );
});
