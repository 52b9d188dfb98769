import type { ReadAccessScope } from './access-scopes.ts';

export interface ReaderGroup {
  readonly groupId: string;
  readonly title: string;
  readonly description: string | null;
  readonly readerIds: readonly string[];
  readonly invitedSsoUserIds: readonly string[];
  readonly accessScope: ReadAccessScope;
  /** True when members and access scope were not read. The lists are empty then, and the scope has no meaning. */
  readonly isSummary?: true | undefined;
}

/**
 * The extent of a read: a list of titles needs no members, and a long list of groups with thousands of members each is
 * not read at once: `whole-if-short` leaves these as summaries. A backend may always read whole groups.
 */
export type ReaderGroupExtent = 'whole' | 'whole-if-short' | 'summary';
