/** The properties that a preview compares. */
type ChangedField =
  | 'title'
  | 'description'
  | 'content'
  | 'htmlContent'
  | 'categoryId'
  | 'hidden'
  | 'translationStatus'
  | 'order'
  | 'source';

/** A property that a write would change, with its values as reads give them; null when there is no value. */
export interface FieldChange {
  readonly field: ChangedField;
  readonly from: unknown;
  readonly to: unknown;
}
