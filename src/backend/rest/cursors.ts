import { type BackendError, validationError } from '../../domain/errors.ts';
import type { PageRequest } from '../../domain/pages.ts';
import { err, ok, type Result } from '../../domain/result.ts';

/** Where a page begins in a list that the service only knows by positions. */
export interface PageStart {
  readonly position: number;
  /** What stood before it when the cursor was made: where that has moved, the page begins behind it all the same. */
  readonly afterId: string | null;
}

/** Opaque to callers: the position of an item and its ID. */
export const encodeCursor = (position: number, id: string): string =>
  Buffer.from(`${position}:${id}`).toString('base64url');

export function pageStartOf({ after, skip = 0 }: PageRequest): Result<PageStart, BackendError> {
  if (after == null) return ok({ position: skip, afterId: null });
  const cursor = decodeCursor(after);
  if (cursor === null) {
    const message = 'after must be a cursor from an earlier page of this list.';
    return err(validationError([{ path: ['after'], message }]));
  }
  return ok({ position: cursor.position + 1, afterId: cursor.id });
}

/** A longer text is no cursor of ours: decoding it would only take time. */
const MAX_CURSOR_LENGTH = 100_000;

const CURSOR = /^(?<position>\d{1,9}):(?<id>.+)$/su;

function decodeCursor(cursor: string): { position: number; id: string } | null {
  if (cursor.length > MAX_CURSOR_LENGTH) return null;
  const { position, id } = CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.groups ?? {};
  if (position === undefined || id === undefined || encodeCursor(Number(position), id) !== cursor) return null;
  return { position: Number(position), id };
}
