/** What is behind the gateway, as the measurement finds it in the end. */
export interface Ledger {
  /** The titles of the articles that were updated, by their IDs. */
  titles(): Promise<ReadonlyMap<string, string>>;
  /** How often the item of this number was sent; null where nobody knows. */
  timesSent(item: number): number | null;
}
