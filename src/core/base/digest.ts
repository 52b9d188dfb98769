import { hash } from 'node:crypto';

/** The characters of a digest: 96 bits, which no two states of one thing share by chance. */
const DIGEST_LENGTH = 16;

/** A short text that is equal for equal values, which JSON must be able to hold. */
export const digestOf = (values: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(values), 'base64url').slice(0, DIGEST_LENGTH);

/** The most characters of a revision of any release. */
const MAX_REVISION_LENGTH = 100;

/** The problem of a revision that a caller sent, as the end of a sentence; null where there is none. */
export function revisionProblem(revision: string | null | undefined): string | null {
  if (revision === null) return 'must be a revision, not null; leave it out to write whatever is there';
  return (revision?.length ?? 0) > MAX_REVISION_LENGTH ? `must have at most ${MAX_REVISION_LENGTH} characters` : null;
}
