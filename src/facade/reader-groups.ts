import { readerGroupNotFound } from '../domain/errors.ts';
import type { ReaderGroup } from '../domain/reader-groups/reader-group-updates.ts';
import { err, ok } from '../domain/result.ts';
import { decodeReplacement, encodeReaderGroup } from '../v2/reader-groups.ts';
import { flagOf, pageOf } from './query-params.ts';
import { answered, type Call, type Handled, only, param, refusedBody } from './route-handler.ts';

/** The service's pages (facts, section 1): groups a page of the list, and members a page of one group. */
const GROUPS_A_PAGE = 5;
const MEMBERS_A_PAGE = 5000;

export async function updateReaderGroup(call: Call): Handled {
  const update = decodeReplacement(param(call, 'groupId'), call.body);
  if (!update.ok) return err(refusedBody(update.error));
  const updated = await call.backend.updateReaderGroup(call.caller, update.value);
  if (!updated.ok) return updated;
  const { serviceResult, ...notices } = updated.value;
  return ok({ ...notices, payload: { result: serviceResult ?? false }, success: true });
}

export async function listReaderGroups({ backend, caller, query }: Call): Handled {
  const page = pageOf(query);
  if (!page.ok) return page;
  const excludeReaders = flagOf(query, 'excludeReaders');
  if (!excludeReaders.ok) return excludeReaders;
  const request = { limit: GROUPS_A_PAGE, skip: page.value * GROUPS_A_PAGE };
  const groups = await backend.listReaderGroups(caller, request);
  if (!groups.ok) return groups;
  const entries = groups.value.edges.map(({ node }) => (excludeReaders.value ? withoutMembers(node) : node));
  return answered({ result: entries.map(encodeReaderGroup) });
}

const withoutMembers = (group: ReaderGroup): ReaderGroup => ({ ...group, readerIds: [], invitedSsoUserIds: [] });

export async function readReaderGroup(call: Call): Handled {
  const page = pageOf(call.query);
  if (!page.ok) return page;
  const group = only(await call.backend.readerGroups(call.caller, [param(call, 'groupId')]));
  if (!group.ok) return group;
  if (group.value === null) return err(readerGroupNotFound([]));
  return answered({ result: encodeReaderGroup(pageOfMembers(group.value, page.value)) });
}

/** `offSet` pages the members of one group: both lists are sliced alike. */
function pageOfMembers(group: ReaderGroup, page: number): ReaderGroup {
  const slice = (ids: readonly string[]) => ids.slice(page * MEMBERS_A_PAGE, (page + 1) * MEMBERS_A_PAGE);
  return { ...group, readerIds: slice(group.readerIds), invitedSsoUserIds: slice(group.invitedSsoUserIds) };
}
