import { ACCESS_SCOPE_FRAGMENT } from './fragments.ts';
import type { Tool } from './tool.ts';

const PAGE_INFO = 'pageInfo { hasNextPage endCursor } totalCount';

const READER = 'readerId firstName lastName email';

export const READER_TOOLS: readonly Tool[] = [
  {
    name: 'list_reader_groups',
    title: 'List the reader groups',
    description:
      'Lists the reader groups and what the members of each may read, a page at a time, without the members. Call it again with `after` for the next page.',
    effect: 'read',
    scopes: ['read'],
    document: `query ListReaderGroups($first: Int = 20, $after: String) {
      readerGroups(first: $first, after: $after) {
        nodes { groupId title description accessScope { ...Scope } } ${PAGE_INFO}
      }
    } ${ACCESS_SCOPE_FRAGMENT}`,
  },
  {
    name: 'read_reader_group',
    title: 'Read a reader group',
    description:
      'Reads one reader group with its members, whose readers come a page at a time. Call it again with `after` for the next page of readers. Null where there is no such group.',
    effect: 'read',
    scopes: ['read'],
    document: `query ReadReaderGroup($groupId: ID!, $first: Int = 20, $after: String) {
      readerGroup(groupId: $groupId) {
        groupId title description accessScope { ...Scope }
        readers(first: $first, after: $after) { nodes { ${READER} } ${PAGE_INFO} }
        invitedSsoUsers { invitationId email }
      }
    } ${ACCESS_SCOPE_FRAGMENT}`,
  },
  {
    name: 'find_readers',
    title: 'Find readers',
    description:
      'Lists the readers, or those with a part of an email address, and the groups that each is in, a page at a time. Call it again with `after` for the next page.',
    effect: 'read',
    scopes: ['read'],
    document: `query FindReaders($emailContains: String, $first: Int = 20, $after: String) {
      readers(emailContains: $emailContains, first: $first, after: $after) {
        nodes { ${READER} groupIds } ${PAGE_INFO}
      }
    }`,
  },
];
