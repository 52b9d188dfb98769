import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import type { Database, SqlDialect } from './dialect.ts';

/** The changes of the schema by name, in their order. */
export type Migrations = (dialect: SqlDialect) => Record<string, Migration>;

/** Why the database cannot be used, as a message for people; null when it is empty or its schema is known. */
export async function findSchemaProblem<Tables>(
  { db, dialect }: Database<Tables>,
  migrations: Migrations,
): Promise<string | null> {
  const { rows: tables } = await dialect.tableNames.execute(db);
  if (tables.length === 0) return null;
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) {
    return 'DATABASE_URL names a database of another program: it has tables that kb-gateway did not make.';
  }
  const known = migrations(dialect);
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return null;
  return `The database was written by a newer kb-gateway (schema ${unknown.join(', ')}). Use that one or a newer one.`;
}

/** Brings the schema up to date. When several gateways start together, one does it and the others wait. */
export async function migrate<Tables>(database: Database<Tables>, migrations: Migrations): Promise<void> {
  const { db, dialect } = database;
  const provider = { getMigrations: async () => migrations(dialect) };
  const [schema] = (await dialect.currentSchema.execute(db)).rows;
  const migrationTable = schema?.name ? { migrationTableSchema: schema.name } : {};
  const { error } = await new Migrator({ db, provider, ...migrationTable }).migrateToLatest();
  if (error === undefined) return;
  // A newer gateway may have migrated the database meanwhile.
  const problem = await findSchemaProblem(database, migrations);
  throw problem === null ? error : new Error(problem, { cause: error });
}
