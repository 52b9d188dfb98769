const COMMON_ERROR_KINDS = [
  'validation',
  'reader-group-not-found',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'rejected',
  'unavailable',
] as const;

/** The kinds of failure of a write to a reader group, which are members of its result union. */
export const READER_GROUP_ERROR_KINDS = [
  ...COMMON_ERROR_KINDS,
  'outcome-unknown',
  'idempotency-conflict',
  'idempotency-in-progress',
] as const;

/** The kinds of failure of the preview of such a write, which sends no write and may take many reads. */
export const READER_GROUP_PREVIEW_ERROR_KINDS = [...COMMON_ERROR_KINDS, 'too-costly'] as const;
