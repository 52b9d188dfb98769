export type Row = Record<string, unknown>;

/** Runs a statement that is prepared once by its text, whose parameters are $1, $2 and so on. */
export type Query = (text: string, values: readonly (string | number)[]) => readonly Row[] | Promise<readonly Row[]>;
