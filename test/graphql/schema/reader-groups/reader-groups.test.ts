import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../../src/core/backend.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

describe('a reader group', () => {
  let gateway: Gateway;
  let reads: string[] = [];
  beforeAll(async () => {
    const store = await openFixtureStore();
    const backend: Backend = {
      ...store,
      readerGroups: (caller, ids, selection = 'whole') => {
        reads.push(selection);
        return store.readerGroups(caller, ids, selection);
      },
      listReaderGroups: (caller, page, selection = 'whole') => {
        reads.push(selection);
        return store.listReaderGroups(caller, page, selection);
      },
    };
    gateway = await startGateway({ backend, local: true, token: TOKEN });
  });
  beforeEach(() => {
    reads = [];
  });
  afterAll(() => gateway.close());

  // A write between two reads would show in one of them alone.
  it.each([
    ['its title alone', '{ readerGroup(groupId: "g2") { title } }', ['summary']],
    ['its title and members', '{ readerGroup(groupId: "g2") { title readerIds } }', ['whole']],
    [
      'its title and scope in fragments',
      '{ readerGroup(groupId: "g2") { title ...F } } fragment F on ReaderGroup { ... { accessScope { level } } }',
      ['whole'],
    ],
    [
      'titles and members of a list',
      '{ readerGroups { nodes { title readers { totalCount } } } }',
      ['summary', 'whole'],
    ],
    ['the titles of a list', '{ readerGroups { nodes { title } } }', ['summary']],
    [
      'the group in the payload of a mutation, with its members',
      'mutation { changeReaderGroupMembers(input: { groupId: "g2", addReaderIds: ["r1"] }) { ... on ChangeReaderGroupMembersPayload { readerGroup { title readerIds } } } }',
      ['whole'],
    ],
  ])('comes from one read, with its members only when they are selected: %s', async (_what, query, expected) => {
    expect((await gateway.send(query)).body.errors).toBeUndefined();
    expect(reads).toEqual(expected);
  });
});
