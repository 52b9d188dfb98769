import { type Expression, type Kysely, sql } from 'kysely';

/** The tables of what several gateways share, in SQL of both dialects. */
export async function createSharedTables(db: Kysely<unknown>, text: Expression<unknown>): Promise<void> {
  const statements = [
    sql`create table gateways (
      instance ${text} not null primary key,
      name ${text} not null,
      started_at bigint not null,
      alive_until bigint not null
    )`,
    sql`create table token_budgets (
      token_key ${text} not null primary key,
      budget ${text} not null,
      changed_at bigint not null
    )`,
    sql`create index token_budgets_by_age on token_budgets (changed_at)`,
    sql`create table group_locks (
      group_key ${text} not null primary key,
      holder ${text} not null,
      held_until bigint not null,
      write_ends_at bigint not null
    )`,
    sql`create table read_scopes (
      scope ${text} not null primary key,
      generation bigint not null,
      changed_at bigint not null
    )`,
    sql`create index read_scopes_by_age on read_scopes (changed_at)`,
    sql`create table read_marks (mark_id ${text} not null primary key, scope ${text} not null, ends_at bigint not null)`,
    sql`create index read_marks_of_scope on read_marks (scope)`,
    sql`create table read_generations (id integer not null primary key, last bigint not null, epoch bigint not null)`,
    sql`insert into read_generations (id, last, epoch) values (1, 0, 0)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
