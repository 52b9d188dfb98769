import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Database, MIGRATION_TABLES, type SqlDialect } from './dialect.ts';

/** The changes of the schema by name, in their order. */
export type Migrations = (dialect: SqlDialect) => Record<string, Migration>;

export interface Schema {
  readonly migrations: Migrations;
  readonly of: keyof typeof MIGRATION_TABLES;
  /** The setting that names the database, for messages. */
  readonly setting: string;
}

/** The reason why the database cannot be used, as a message for people; null when it is empty or its schema is known. */
export async function findSchemaProblem<Tables>(
  { db, dialect }: Database<Tables>,
  { migrations, of, setting }: Schema,
): Promise<string | null> {
  const { rows } = await dialect.tableNames.execute(db);
  const tables = new Set(rows.map(({ name }) => name));
  if (tables.size === 0) return encodingProblem((await dialect.encoding.execute(db)).rows[0]?.name, setting);
  if (!Object.values(MIGRATION_TABLES).some((name) => tables.has(name))) {
    return `${setting} names a database of another program: it has tables that kb-gateway did not make.`;
  }
  const migrationTable = MIGRATION_TABLES[of];
  if (!tables.has(migrationTable)) return null;
  const known = migrations(dialect);
  const made = await sql<{ name: string }>`select name from ${sql.table(migrationTable)}`.execute(db);
  const unknown = made.rows.map(({ name }) => name).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return null;
  return `The database was written by a newer kb-gateway (schema ${unknown.join(', ')}). Use that one or a newer one.`;
}

/** The encodings that hold every text. SQL_ASCII stores the bytes of UTF-8 as they are. */
const ENCODINGS_OF_ALL: ReadonlySet<string> = new Set(['UTF8', 'SQL_ASCII']);

/** The problem of an empty database. One with tables keeps its encoding, since it may never need other letters. */
const encodingProblem = (encoding = 'UTF8', setting: string): string | null =>
  ENCODINGS_OF_ALL.has(encoding)
    ? null
    : `${setting} names a database with the encoding ${encoding}, which lacks letters that articles may have. Create it with the encoding UTF8.`;

/** Brings the schema up to date. When several gateways start together, one does it and the others wait. */
export async function migrate<Tables>(database: Database<Tables>, schema: Schema): Promise<void> {
  const { db, dialect } = database;
  const migrationTableName = MIGRATION_TABLES[schema.of];
  const names = { migrationTableName, migrationLockTableName: `${migrationTableName}_lock` };
  const [current] = (await dialect.currentSchema.execute(db)).rows;
  const provider = { getMigrations: async () => schema.migrations(dialect) };
  const migrator = new Migrator({
    db,
    provider,
    ...names,
    ...(current?.name && { migrationTableSchema: current.name }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  // A newer gateway may have migrated the database meanwhile.
  const problem = (await findSchemaProblem(database, schema)) ?? earlierSchemaProblem(error);
  throw problem === null ? error : new Error(problem, { cause: error });
}

/** The schema is created by its last migration, so only a schema that was never released has its tables already. */
const earlierSchemaProblem = (error: unknown): string | null =>
  error instanceof Error && error.message.endsWith('already exists')
    ? `The database was written by a kb-gateway before its first release (${error.message}). Use a new one.`
    : null;
