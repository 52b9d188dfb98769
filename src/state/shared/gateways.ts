import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { StateUnavailable } from '../state-unavailable.ts';
import { CLOCK_MARGIN_MS, followClock, GATEWAY_ALIVE_MS } from './clock-steps.ts';
import { startEpoch } from './read-generations.ts';
import { type LinkedState, LinkFailure, readClock, type StateLink } from './state-link.ts';
import type { UnmarkedScope, UnmarkedScopes } from './unmarked-scopes.ts';

/** A gateway that is missing for so long is forgotten: it is taken for one that ended without telling. */
const FORGET_MS = 10 * 60_000;

export interface MembershipOptions {
  readonly link: StateLink;
  /** The place of this process, where one process follows another. */
  readonly name: string;
  /** How long a write may take effect after its process has ended. */
  readonly writeMs: number;
  readonly unmarked: UnmarkedScopes;
}

/** The answer of the clock of the state, and when it came, by `performance.now()`. */
interface ClockReading {
  readonly stateTime: number;
  readonly readAt: number;
}

/** This gateway among those that share the state. */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #instance = randomUUID();
  #clock: ClockReading = { stateTime: 0, readAt: 0 };
  /** `performance.now()` at the start of the last beat that may have had its effect. */
  #lastBeatAt = 0;
  #count = 1;

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  get missingFrom(): number {
    return this.#lastBeatAt + GATEWAY_ALIVE_MS + CLOCK_MARGIN_MS;
  }

  async join(): Promise<void> {
    const { link, name } = this.#options;
    const stateTime = await link.write(async (state) => {
      const now = await readClock(state);
      await sql`
        insert into gateways (instance, name, started_at, alive_until)
        values (${this.#instance}, ${name}, ${now}, ${now + GATEWAY_ALIVE_MS})
      `.execute(state.db);
      return now;
    });
    this.#clock = { stateTime, readAt: performance.now() };
    this.#lastBeatAt = this.#clock.readAt;
  }

  /** Tells that this gateway lives, also after a failure. Rejects with `StateUnavailable`. */
  async beat(): Promise<void> {
    const { link, unmarked } = this.#options;
    // A beat whose answer is lost would put off the time at which this gateway is missing, so a read goes before it.
    if (link.problem !== null) await link.probe('read', readClock);
    if (performance.now() < unmarked.comesBackAt) throw new StateUnavailable('Writes may be under way without marks.');
    const begunAt = performance.now();
    const earlier = this.#lastBeatAt;
    this.#lastBeatAt = begunAt;
    const scopes = unmarked.pending();
    const stateTime = await link
      .probe('write', (state) => this.#renew(state, begunAt, scopes))
      .catch((error: unknown) => {
        if (error instanceof LinkFailure && !error.mayHaveHappened) this.#lastBeatAt = earlier;
        throw error;
      });
    this.#clock = { stateTime, readAt: performance.now() };
    unmarked.forget(scopes);
    link.recover();
  }

  /**
   * The end of the row's time is computed before the statement is sent, so that a statement which arrives late does not
   * put it off. A gateway that was missing may have written without marks: nothing read before is current any more.
   */
  async #renew(state: LinkedState, begunAt: number, scopes: readonly UnmarkedScope[]): Promise<number> {
    const { name } = this.#options;
    const { stateTime, readAt } = this.#clock;
    await followClock(state);
    const now = await readClock(state);
    // The second is the smaller one where the clock was set back since it was read.
    const aliveUntil = Math.min(Math.floor(stateTime + (begunAt - readAt)), now) + GATEWAY_ALIVE_MS;
    const { rows } = await sql`
      update gateways set alive_until = case when alive_until > ${aliveUntil} then alive_until else ${aliveUntil} end
      where instance = ${this.#instance} and alive_until > ${now} returning instance
    `.execute(state.db);
    if (rows.length === 0) {
      await sql`
        insert into gateways (instance, name, started_at, alive_until)
        values (${this.#instance}, ${name}, ${now}, ${aliveUntil})
        on conflict (instance) do update set alive_until = excluded.alive_until
      `.execute(state.db);
    }
    await this.#options.unmarked.mark(state, scopes);
    if (rows.length === 0 || (await this.#forgetEnded(state))) await startEpoch(state);
    this.#count = Math.max(1, await countAlive(state));
    return now;
  }

  /**
   * Forgets gateways that are missing and have ended: another process has their name since, or they are missing for too
   * long. Their last writes have taken effect by then. One that told that it lives after the other had started has only
   * the same name.
   */
  async #forgetEnded({ db, clock }: LinkedState): Promise<boolean> {
    const { rows } = await sql`
      delete from gateways where alive_until <= ${clock} and (
        alive_until <= ${clock} - cast(${FORGET_MS} as bigint) or exists (
          select 1 from gateways as other
          where other.name = gateways.name and other.instance <> gateways.instance
            and other.started_at >= gateways.alive_until - cast(${GATEWAY_ALIVE_MS} as bigint)
            and other.started_at <= ${clock} - cast(${this.#options.writeMs} as bigint)
        )
      ) returning instance
    `.execute(db);
    return rows.length > 0;
  }

  /** All writes of this gateway have ended. */
  leave(): Promise<void> {
    return this.#options.link.write(async (state) => {
      const { rows } = await sql<{ is_missing: number }>`
        delete from gateways where instance = ${this.#instance}
        returning case when alive_until <= ${state.clock} then 1 else 0 end as is_missing
      `.execute(state.db);
      if (rows.some(({ is_missing }) => is_missing === 1)) await startEpoch(state);
    });
  }
}

async function countAlive({ db, clock }: LinkedState): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from gateways where alive_until > ${clock}
  `.execute(db);
  return rows[0]?.count ?? 0;
}
