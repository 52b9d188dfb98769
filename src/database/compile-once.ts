import type { CompiledQuery } from 'kysely';
import type { CompiledStatement, Database } from './dialect.ts';

interface StatementDefinition {
  readonly key: object | string;
  /** The function that builds the statement, and so decides about the type of its rows. */
  readonly build: unknown;
}

/** Returns the statement of a database that was compiled under a key before, or compiles and keeps it. */
export function compileOnce<Result>(
  { statements }: Pick<Database<unknown>, 'statements'>,
  { key, build }: StatementDefinition,
  compile: () => CompiledQuery<Result>,
): CompiledQuery<Result> {
  const isBuilt = (statement: CompiledStatement<unknown> | undefined): statement is CompiledStatement<Result> =>
    statement?.build === build;
  const known = statements.get(key);
  if (isBuilt(known)) return known.query;
  const query = compile();
  statements.set(key, { build, query });
  return query;
}
