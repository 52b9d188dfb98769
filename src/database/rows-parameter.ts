/** The place of rows in a statement that is compiled before they are known. */
export class RowsParameter<Row extends object> {
  /** The rows as the dialects read them. */
  toJson(rows: readonly Row[]): string {
    return JSON.stringify(rows);
  }
}

/** Rows as JSON, or the place of rows that are given later. */
export const toJsonParameter = <Row extends object>(rows: readonly Row[] | RowsParameter<Row>) =>
  rows instanceof RowsParameter ? rows : JSON.stringify(rows);
