import { type Expression, type Kysely, sql } from 'kysely';

/** The fingerprint of the demo that every gateway with the first schema has put into an empty store. */
const FIRST_DEMO = '529433c6248088a15963b0b12746ce8ad30b5d47bb5e0159166b3781b7b8cfcf';

/** Adds the properties of the store. A store that has the first demo gets its fingerprint, be it changed or not. */
export async function addStoreProperties(db: Kysely<unknown>, text: Expression<unknown>): Promise<void> {
  await sql`create table store_properties (name ${text} not null primary key, value ${text} not null)`.execute(db);
  await sql`
    insert into store_properties (name, value)
    select 'demo', ${sql.lit(FIRST_DEMO)} from project_versions where id = 'fernlight-2'
  `.execute(db);
}
