/** The port of the process and the database of the store, as the benchmark sets them. */
export const port = Number(process.env['PORT']);
export const databaseUrl = process.env['DATABASE_URL'] ?? '';
