/** What is behind the gateway, as the measurement finds it in the end. */
export interface Ledger {
  /** The titles of the articles that were updated, by their IDs. */
  titles(): Promise<ReadonlyMap<string, string>>;
  /** How often the item with this title was sent; null where nobody knows. */
  timesSent(title: string): number | null;
}
