import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { INTEGRATIONS } from '../../../../../test/support/mounts.ts';
import { createExecute } from '../../client-preset/execute.ts';
import type { ClientAnswer } from '../../client-suite.ts';
import type { Library } from '../library.ts';

const CODEGEN = join(INTEGRATIONS, '.bin/graphql-codegen');

export const clientPreset: Library = {
  name: 'GraphQL Code Generator, client preset',
  setup: 'documents as texts, executed by `fetch`',
  packages: ['@graphql-codegen/cli', '@graphql-codegen/client-preset'],
  types: 'client-preset.ts',
  async open({ url, token }, documents, folder) {
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/documents.graphql'), documents);
    await copyFile('schema.graphql', join(folder, 'schema.graphql'));
    await copyFile('integrations/test/clients/client-preset/codegen.json', join(folder, 'codegen.json'));
    await promisify(execFile)(CODEGEN, ['--config', 'codegen.json'], { cwd: folder });
    const generated = await import(join(folder, 'src/generated/graphql.ts'));
    const execute = createExecute(url, token);
    return {
      async run(name, variables = {}): Promise<ClientAnswer> {
        const { data, errors = [] } = await execute(generated[`${name}Document`], variables);
        return { data, errors: errors.map(({ message }) => message) };
      },
    };
  },
};
