import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { StateUnavailable } from '../../../core/state-unavailable.ts';
import { firstRow } from '../state-access.ts';
import { KNOWN_MS } from './accepted-tokens.ts';
import { sweepAnnouncements } from './announced-creations.ts';
import { startEpoch } from './read-marks.ts';
import type { LinkedState, StateLink } from './state-link.ts';

/** How long a gateway counts as running after a heartbeat, in milliseconds. */
const HEARTBEAT_LIFETIME_MS = 4_000;

/** The pause between two heartbeats, and between two probes after a failure, in milliseconds. */
const HEARTBEAT_MS = 1_000;

/** The pause between two sweeps, in milliseconds. */
const SWEEP_MS = 60_000;

/** The row of a gateway is deleted so long after its last heartbeat has expired, in milliseconds. */
const FORGET_MS = 10 * 60_000;

/** Budgets that have not changed for so long are deleted, in milliseconds: they are those of a minute that is over. */
const BUDGET_KEEP_MS = 15 * 60_000;

/** Scopes that have not changed for so long are deleted, in milliseconds. */
const SCOPE_KEEP_MS = 60 * 60_000;

/** The most rows of one kind that are left after a sweep. */
const MAX_ROWS = 10_000;

/** The most rows of one kind that a sweep deletes for that. */
const MAX_DELETED = 10_000;

/**
 * This gateway among those with the same state. Its heartbeats count the gateways, among which the budget is divided, find out
 * when the state can be used again, and sweep it.
 */
export class RegisteredGateway {
  readonly #link: StateLink;
  readonly #instance = randomUUID();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #sweptAt = performance.now();
  #count = 1;

  constructor(link: StateLink) {
    this.#link = link;
    this.#running = this.#run();
  }

  /** The number of running gateways at the last heartbeat: at least 1, since this one is among them. */
  get count(): number {
    return this.#count;
  }

  /** Opens the state where it is not open yet, and records a heartbeat. */
  async sendHeartbeat(): Promise<void> {
    await this.#link.probe();
    this.#count = await this.#link.write((state) => this.#renew(state));
  }

  /** Sends no further heartbeat, and deletes the row of this gateway. */
  async leave(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#link.write(({ db }) => sql`delete from gateways where instance = ${this.#instance}`.execute(db));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await setTimeout(HEARTBEAT_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.sendHeartbeat();
        if (performance.now() - this.#sweptAt < SWEEP_MS) continue;
        this.#sweptAt = performance.now();
        await sweepShared(this.#link);
      } catch (error) {
        if (!(error instanceof StateUnavailable)) this.#link.fail('NOT_OPENED', error);
      }
    }
  }

  async #renew(state: LinkedState): Promise<number> {
    const { db, clock } = state;
    await followClock(state);
    await sql`
      insert into gateways (instance, name, started_at, alive_until)
      values (${this.#instance}, '', 0, ${clock} + ${sql.lit(HEARTBEAT_LIFETIME_MS)})
      on conflict (instance) do update set alive_until = excluded.alive_until
    `.execute(db);
    const living = sql<{ count: number }>`select count(*) as count from gateways where alive_until > ${clock}`;
    return Math.max(1, (await firstRow(state, living))?.count ?? 0);
  }
}

/** Where the clock of the state was set back, moves times that lie too far ahead, so that nothing lasts longer than if it began now. */
async function followClock({ db, clock }: LinkedState): Promise<void> {
  const latest = sql`${clock} + ${sql.lit(HEARTBEAT_LIFETIME_MS)}`;
  await sql`update gateways set alive_until = ${latest} where alive_until > ${latest}`.execute(db);
  await sql`update read_marks set ends_at = ${clock} + ms where ends_at > ${clock} + ms`.execute(db);
  await sql`update accepted_tokens set accepted_at = ${clock} where accepted_at > ${clock}`.execute(db);
}

/** Deletes rows that have expired, and the oldest of too many. Rejects with `StateUnavailable`. */
async function sweepShared(link: StateLink): Promise<void> {
  await link.write(async ({ db, clock }) => {
    await sql`
      delete from token_budgets where changed_at <= ${clock} - cast(${BUDGET_KEEP_MS} as bigint) or token_key in (
        select token_key from token_budgets order by changed_at desc limit ${MAX_DELETED} offset ${MAX_ROWS}
      )
    `.execute(db);
  });
  await link.write(async ({ db, clock }) => {
    await sql`delete from gateways where alive_until <= ${clock} - cast(${FORGET_MS} as bigint)`.execute(db);
    await sql`delete from group_locks where write_ends_at <= ${clock}`.execute(db);
    await sql`delete from read_marks where ends_at <= ${clock}`.execute(db);
    await sql`
      delete from accepted_tokens where accepted_at <= ${clock} - ${KNOWN_MS} or token_key in (
        select token_key from accepted_tokens order by accepted_at desc limit ${MAX_DELETED} offset ${MAX_ROWS}
      )
    `.execute(db);
  });
  await link.write((state) => sweepAnnouncements(state, MAX_DELETED));
  await link.write(async (state) => {
    const { rows } = await sql`
      delete from read_scopes where (
        changed_at <= ${state.clock} - cast(${SCOPE_KEEP_MS} as bigint) or scope in (
          select scope from read_scopes order by changed_at desc limit ${MAX_DELETED} offset ${MAX_ROWS}
        )
      ) and not exists (select 1 from read_marks as m where m.scope = read_scopes.scope) returning scope
    `.execute(state.db);
    // A scope without a row has the generation of the epoch, which must be newer than that of the deleted row.
    if (rows.length > 0) await startEpoch(state);
  });
}
