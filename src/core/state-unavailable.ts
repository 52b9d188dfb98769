/** Thrown where the state can't be reached, is full, or accepts no writes. */
export class StateUnavailable extends Error {
  override readonly name: string = 'StateUnavailable';
}

/** Thrown where the state has no database at all: `STATE_URL` is not set, and the default file can't be written. */
export class NoPlaceForState extends StateUnavailable {
  override readonly name = 'NoPlaceForState';
}

/** The result of a call; null where the state can't be used. */
export async function unlessUnavailable<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof StateUnavailable) return null;
    throw error;
  }
}
