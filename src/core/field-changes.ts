import type { ArticleProperty } from './articles/bulk-updates.ts';

/** The properties that a preview compares: those of articles and of reader groups. */
type ChangedField = ArticleProperty | 'title' | 'description' | 'status' | 'publicVersionNumber';

/** A property that a write would change, with its values as reads return them; null when there is no value. */
export interface FieldChange {
  readonly field: ChangedField;
  readonly from: unknown;
  readonly to: unknown;
}
