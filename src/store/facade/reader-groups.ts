import { err, ok } from '../../core/base/result.ts';
import { readerGroupNotFound } from '../../core/errors.ts';
import type { ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import { decodeReaderGroupReplacement, encodeReaderGroup } from '../../service/v2/reader-groups.ts';
import {
  bodyRejection,
  type EnvelopeResult,
  type FacadeRequest,
  onlyResult,
  pathParam,
  queryFlag,
  queryPage,
  succeedWith,
} from './route-handler.ts';

/** The service's page sizes for groups and for the members of one group: see docs/service.md, "Reader groups". */
const GROUP_PAGE_SIZE = 5;
const MEMBER_PAGE_SIZE = 5000;

export async function listReaderGroups({ backend, caller, query }: FacadeRequest): EnvelopeResult {
  const page = queryPage(query);
  if (!page.ok) return page;
  const excludeReaders = queryFlag(query, 'excludeReaders');
  if (!excludeReaders.ok) return excludeReaders;
  const request = { limit: GROUP_PAGE_SIZE, skip: page.value * GROUP_PAGE_SIZE };
  const groups = await backend.listReaderGroups(caller, request);
  if (!groups.ok) return groups;
  const entries = groups.value.edges.map(({ node }) => (excludeReaders.value ? withoutMembers(node) : node));
  return succeedWith({ result: entries.map(encodeReaderGroup) });
}

const withoutMembers = (group: ReaderGroup): ReaderGroup => ({ ...group, readerIds: [], invitedSsoUserIds: [] });

export async function readReaderGroup(request: FacadeRequest): EnvelopeResult {
  const page = queryPage(request.query);
  if (!page.ok) return page;
  const group = onlyResult(await request.backend.readerGroups(request.caller, [pathParam(request, 'groupId')]));
  if (!group.ok) return group;
  if (group.value === null) return err(readerGroupNotFound([]));
  return succeedWith({ result: encodeReaderGroup(withMembersPage(group.value, page.value)) });
}

/** `offSet` selects a page of both member lists of one group. */
function withMembersPage(group: ReaderGroup, page: number): ReaderGroup {
  const slice = (ids: readonly string[]) => ids.slice(page * MEMBER_PAGE_SIZE, (page + 1) * MEMBER_PAGE_SIZE);
  return { ...group, readerIds: slice(group.readerIds), invitedSsoUserIds: slice(group.invitedSsoUserIds) };
}

export async function updateReaderGroup(request: FacadeRequest): EnvelopeResult {
  const update = decodeReaderGroupReplacement(pathParam(request, 'groupId'), request.body);
  if (!update.ok) return err(bodyRejection(update.error));
  const updated = await request.backend.updateReaderGroup(request.caller, update.value);
  if (!updated.ok) return updated;
  const { serviceResult, ...notices } = updated.value;
  return ok({ ...notices, payload: { result: serviceResult ?? false }, success: true });
}
