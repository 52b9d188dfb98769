/** The kinds of failure of a write to a reader group, which are members of its result union. */
export const READER_GROUP_ERROR_KINDS = [
  'validation',
  'reader-group-not-found',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'rejected',
  'unavailable',
  'outcome-unknown',
] as const;
