/** The state can't be reached, is full, or takes no writes. */
export class StateUnavailable extends Error {
  override readonly name: string = 'StateUnavailable';
}

/** The state has no place at all, since nobody has named one and the default one can't be written. */
export class NoPlaceForState extends StateUnavailable {
  override readonly name = 'NoPlaceForState';
}
