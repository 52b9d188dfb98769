import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok } from '../../../base/result.ts';
import type { InvitedSsoUser } from '../../../domain/reader-groups/invited-sso-users.ts';
import type { BackendResult } from '../../backend.ts';
import { paginateArray } from './paging.ts';
import { emailContainsText, readEntriesById } from './readers.ts';
import type { RequestCache } from './request-cache.ts';

export async function readInvitedSsoUser(
  cache: RequestCache,
  invitationId: string,
): BackendResult<InvitedSsoUser | null> {
  const entries = await readEntriesById(cache);
  if (!entries.ok) return entries;
  const entry = entries.value.get(invitationId);
  return ok(entry?.kind === 'invited' ? entry.user : null);
}

/** Sorts by invitation ID. One page costs the whole list, since invited users stand scattered among the readers. */
export async function readInvitedSsoUserPage(
  cache: RequestCache,
  emailContains: string | null,
  request: PageRequest,
): BackendResult<Page<InvitedSsoUser>> {
  const entries = await readEntriesById(cache);
  if (!entries.ok) return entries;
  const users = [...entries.value.values()]
    .flatMap((entry) => (entry.kind === 'invited' && emailContainsText(entry.user, emailContains) ? [entry.user] : []))
    .sort((a, b) => (a.invitationId < b.invitationId ? -1 : 1));
  return paginateArray(users, ({ invitationId }) => invitationId, request);
}
