import { sql } from 'kysely';

/**
 * The value of a flag that is set, in conditions that a partial index has. It is no parameter: SQLite compiles a
 * statement anew at each call when the value of a parameter decides about an index.
 */
export const IS_SET = sql.lit<number>(1);
