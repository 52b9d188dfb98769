import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { createInitialSchema } from '../backend/local/tables/migrations/0001-initial.ts';
import type { Database } from '../backend/local/tables/store-database.ts';

/** The changes of the schema in their order. One that was released is never changed; the next one follows it. */
const migrationsOf = ({ engine }: Database): Record<string, Migration> => ({
  '0001-initial': { up: (db) => createInitialSchema(db, engine.text) },
});

/** Why the database cannot be used as it is, for people; null where it can, be it empty or of an older schema. */
export async function schemaProblem(database: Database): Promise<string | null> {
  const { rows: tables } = await database.engine.tables.execute(database.db);
  if (tables.length === 0) return null;
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) {
    return 'DATABASE_URL names a database of another program: it has tables that kb-gateway did not make.';
  }
  const known = migrationsOf(database);
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    database.db,
  );
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return null;
  return `The database was written by a newer kb-gateway (schema ${unknown.join(', ')}). Use that one or a newer one.`;
}

/** Brings the schema up to date. Where several gateways start together, one does it and the others wait. */
export async function migrate(database: Database): Promise<void> {
  const { db, engine } = database;
  const provider = { getMigrations: async () => migrationsOf(database) };
  const [schema] = (await engine.schema.execute(db)).rows;
  const place = schema?.name ? { migrationTableSchema: schema.name } : {};
  const { error } = await new Migrator({ db, provider, ...place }).migrateToLatest();
  if (error === undefined) return;
  // A newer gateway may have been the one that did it.
  const problem = await schemaProblem(database);
  throw problem === null ? error : new Error(problem, { cause: error });
}
