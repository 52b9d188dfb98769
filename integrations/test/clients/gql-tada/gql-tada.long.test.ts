import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../../../../test/clients/documents.ts';
import { testClient } from '../client-suite.ts';
import { runWithUrql } from '../urql/run-with-urql.ts';
import { createUrqlClient } from '../urql/urql-client.ts';
import { compileTadaProgram, type TadaDocuments, writeTadaProgram } from './gql-tada-program.ts';

describe('gql.tada', () => {
  let folder: string;
  let typed: TadaDocuments;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-gql-tada-'));
    typed = await writeTadaProgram(documents, folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('types what the documents ask for, and nothing else', async () => {
    expect(await compileTadaProgram(folder)).toBe('');
  });

  describe('with urql', () => {
    testClient(({ url, token }) => {
      const client = createUrqlClient(url, token);
      return {
        run: (operation, variables) => {
          const document = typed[operation];
          if (document === undefined) throw new Error(`There is no constant ${operation}.`);
          return runWithUrql(client, { document, variables });
        },
      };
    });
  });
});
