/** The state can't be reached, is full, or takes no writes. */
export class StateUnavailable extends Error {
  override readonly name: string = 'StateUnavailable';
}

/** The state has no place at all, since nobody has named one and the default one can't be written. */
export class NoPlaceForState extends StateUnavailable {
  override readonly name = 'NoPlaceForState';
}

/** Null where the state can't be used. */
export async function unlessUnavailable<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof StateUnavailable) return null;
    throw error;
  }
}
