import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConcreteRequest,
  createOperationDescriptor,
  fetchQuery,
  type OperationType,
  type Variables,
} from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoGateway } from '../../../../test/clients/demo-gateway.ts';
import { documents } from '../../../../test/clients/documents.ts';
import { testClient } from '../client-suite.ts';
import { createRelayEnvironment } from './relay-environment.ts';
import { compileForRelay } from './relay-program.ts';
import { runWithRelay } from './run-with-relay.ts';

const GROUP_PAGES = `
  query GroupPages($first: Int!, $after: String) {
    readerGroups(first: $first, after: $after) @connection(key: "GroupPages_readerGroups") {
      edges { node { title } }
      pageInfo { endCursor hasNextPage }
    }
  }
`;

interface GroupPages extends OperationType {
  readonly response: {
    readonly readerGroups: {
      readonly edges: readonly { readonly node: { readonly title: string } }[];
      readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
    };
  };
}

describe('Relay', () => {
  let folder: string;
  let load: (name: string) => Promise<ConcreteRequest>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-relay-'));
    load = await compileForRelay(documents + GROUP_PAGES, folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  testClient(({ url, token }) => {
    const environment = createRelayEnvironment(url, token);
    return {
      run: async (operation, variables) => runWithRelay(environment, { request: await load(operation), variables }),
    };
  });

  it('joins the pages of a list to one connection', async () => {
    const gateway = await startDemoGateway();
    const environment = createRelayEnvironment(gateway.target.url, gateway.target.token);
    const request = await load('GroupPages');
    const readPage = (variables: Variables) => fetchQuery<GroupPages>(environment, request, variables).toPromise();
    const first = await readPage({ first: 5 });
    expect(first?.readerGroups.edges).toHaveLength(5);
    await readPage({ first: 5, after: first?.readerGroups.pageInfo.endCursor });
    await gateway.close();
    const { data } = environment.lookup(createOperationDescriptor(request, { first: 5 }).fragment);
    expect(data).toHaveProperty('readerGroups.edges.length', 7);
    expect(data).toHaveProperty('readerGroups.pageInfo.hasNextPage', false);
  });
});
