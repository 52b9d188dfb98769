import type { Page, PageRequest } from '../../../domain/pages.ts';
import type { InvitedSsoUser } from '../../../domain/reader-groups/readers.ts';
import { ok } from '../../../domain/result.ts';
import { hasEmail, type ReaderLists } from '../reader-lists.ts';
import { listOf, pageOf } from './paging.ts';
import type { Found, ReadSession } from './request-cache.ts';

export interface InvitedSsoUserReads {
  byId(session: ReadSession, invitationId: string): Found<InvitedSsoUser | null>;
  /** By invitation ID: they stand scattered among the readers, so that a page of them takes the whole list anyway. */
  page(session: ReadSession, emailContains: string | null, request: PageRequest): Found<Page<InvitedSsoUser>>;
}

export function createInvitedSsoUserReads(lists: ReaderLists): InvitedSsoUserReads {
  return {
    async byId(session, invitationId) {
      const everybody = await lists.everybody(session);
      if (!everybody.ok) return everybody;
      const entry = everybody.value.get(invitationId);
      return ok(entry?.kind === 'invited' ? entry.user : null);
    },
    async page(session, emailContains, request) {
      const everybody = await lists.everybody(session);
      if (!everybody.ok) return everybody;
      const users = [...everybody.value.values()]
        .flatMap((entry) => (entry.kind === 'invited' && hasEmail(entry.user, emailContains) ? [entry.user] : []))
        .sort((a, b) => (a.invitationId < b.invitationId ? -1 : 1));
      return pageOf(listOf(users, idOf), request);
    },
  };
}

const idOf = ({ invitationId }: InvitedSsoUser): string => invitationId;
