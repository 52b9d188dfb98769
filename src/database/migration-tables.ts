/**
 * The tables of the migrations that were made. The store and the state may be in one database: each has a table of its
 * own, and accepts the tables of the other. That of the store has the default name of Kysely.
 */
export const MIGRATION_TABLES = { store: 'kysely_migration', state: 'state_migration' } as const;
