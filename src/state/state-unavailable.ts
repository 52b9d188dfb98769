/** The state can't be reached, is full, or takes no writes. */
export class StateUnavailable extends Error {
  override readonly name = 'StateUnavailable';
}
