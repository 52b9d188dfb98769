import { type RawBuilder, sql } from 'kysely';
import type { JsonObject } from '../../core/base/json.ts';
import type { Log } from '../../core/base/log.ts';
import { StateUnavailable } from '../../core/state-unavailable.ts';
import type { CallContext } from '../../store/database/call-context.ts';
import type { Database } from '../../store/database/dialect.ts';
import type { ServingDatabase } from '../../store/database/open-database.ts';
import { runStatements, runTransaction, type TransactionResult } from '../../store/database/transactions.ts';
import type { WriteQueue } from '../../store/database/write-queue.ts';
import type { StateRoom } from './ledger.ts';
import type { StateTables } from './tables.ts';

/** The state, and its time as an expression. */
export interface State extends Database<StateTables> {
  readonly clock: RawBuilder<number>;
  /** The service whose keys these are. */
  readonly service: string;
  /** Lines for the log about jobs, which are written once the transaction has ended. */
  readonly lines: JobLine[];
}

interface JobLine {
  readonly message: string;
  readonly fields: JsonObject;
}

/** The parts that all methods of one ledger share. */
export interface StateAccess {
  readonly database: ServingDatabase<StateTables>;
  readonly service: string;
  readonly log: Log;
  /** Orders all writes when the dialect has one writer at a time. */
  readonly writeQueue: WriteQueue;
  /** The clock of this process, for a database without one. */
  readonly now: () => number;
  readonly isClosed: () => boolean;
}

/** The longest time of one method, in milliseconds. Its caller may give up earlier. */
const METHOD_TIMEOUT_MS = 30_000;

/** The longest time of a heartbeat, in milliseconds: after that the next one is due. */
const HEARTBEAT_TIMEOUT_MS = 3_000;

/** Whose method it is. Methods of callers get connections in a fair order; a heartbeat has a connection of its own. */
type Origin = { readonly callerKey: string } | 'own' | 'heartbeat';

type Work<T> = (state: State) => Promise<T>;

/** Runs `work` in one transaction. After a conflict or a lost connection it runs again, so it has its effect once. */
export async function writeState<T>(access: StateAccess, work: Work<T>, origin: Origin = 'own'): Promise<T> {
  const use = useOf(access, 'write', origin);
  const options = { ...use, writeQueue: access.writeQueue, isRepeatable: true, isUrgent: origin === 'heartbeat' };
  let lines: State['lines'] = [];
  const result = await runTransaction(options, (transaction) => {
    const state = stateOf(access, transaction);
    lines = state.lines;
    return work(state);
  });
  const value = unwrap(access, result);
  for (const { message, fields } of lines) access.log('info', message, fields);
  return value;
}

/** Runs `work` without a transaction, so each statement reads by itself. */
export async function readState<T>(access: StateAccess, work: Work<T>, origin: Origin = 'own'): Promise<T> {
  return unwrap(access, await runStatements(useOf(access, 'read', origin), (bound) => work(stateOf(access, bound))));
}

function useOf({ database, isClosed }: StateAccess, kind: CallContext['kind'], origin: Origin) {
  if (isClosed()) throw new StateUnavailable('The state is closed.');
  const isHeartbeat = origin === 'heartbeat';
  const fairnessKey = typeof origin === 'string' ? '' : `${kind} ${origin.callerKey}`;
  const callContext = stateCall(kind, isHeartbeat ? HEARTBEAT_TIMEOUT_MS : METHOD_TIMEOUT_MS, fairnessKey);
  return { database: isHeartbeat ? database.forReadiness(callContext) : database.forCall(callContext), callContext };
}

export const stateCall = (kind: CallContext['kind'], timeoutMs: number, fairnessKey = ''): CallContext => ({
  fairnessKey,
  kind,
  isGone: () => false,
  deadline: performance.now() + timeoutMs,
});

function unwrap<T>({ log }: StateAccess, result: TransactionResult<T>): T {
  if (result.ok) return result.value;
  const { failure, cause } = result.error;
  log('error', 'The state cannot be read or written.', { code: failure.code });
  throw new StateUnavailable(`The state cannot be read or written (${failure.code}).`, { cause });
}

const stateOf = ({ now, service }: StateAccess, database: Database<StateTables>): State => ({
  ...database,
  service,
  lines: [],
  clock: database.dialect.clock ?? sql`${now()}`,
});

export const firstRow = async <Row>({ db }: Pick<State, 'db'>, statement: RawBuilder<Row>): Promise<Row | null> =>
  (await statement.execute(db)).rows[0] ?? null;

/** True where the last heartbeat of an owner has not expired. The owner is an expression. */
export const hasHeartbeat = ({ clock }: State, owner: RawBuilder<string>) =>
  sql<boolean>`exists (select 1 from job_owners as o where o.owner = ${owner} and o.alive_until > ${clock})`;

/**
 * Records a heartbeat. Where the clock was set back, the heartbeats of all owners lie too far ahead, and are moved so that none
 * expires later than if it had just been recorded.
 */
export async function recordHeartbeat({ db, clock }: State, owner: string, forMs: number): Promise<void> {
  await sql`
    insert into job_owners (owner, alive_until, alive_ms)
    values (${owner}, ${clock} + cast(${forMs} as bigint), ${Math.max(0, forMs)})
    on conflict (owner) do update set alive_until = excluded.alive_until, alive_ms = excluded.alive_ms
  `.execute(db);
  await sql`update job_owners set alive_until = ${clock} + alive_ms where alive_until > ${clock} + alive_ms`.execute(
    db,
  );
}

/** Throws `StateUnavailable` where the last heartbeat of a process has expired: others would take over what it begins. */
export async function requireHeartbeat(state: State, owner: string): Promise<void> {
  const found = await firstRow(state, sql`select 1 where ${hasHeartbeat(state, sql`${owner}`)}`);
  if (found === null) throw new StateUnavailable('The last heartbeat of this process has expired.');
}

/** The bytes of a row besides its texts, roughly. */
export const ROW_BYTES = 400;

/** The key of the rows for the sum of all callers. No caller has it. */
const ALL_CALLERS = '';

/** The sum of all callers is spread over so many rows, so that writes seldom wait for each other. A caller has one row after these. */
const SHARDS = 8;

/**
 * Counts bytes that callers have added or freed. It must be the last statement of a transaction, so that the rows are locked for
 * a short time only, and locks them in one order, so that no two transactions wait for each other.
 */
export async function addUsage(
  { db }: State,
  bytesByCaller: Iterable<readonly [callerKey: string, bytes: number]>,
): Promise<void> {
  const changes = [...bytesByCaller].filter(([callerKey, bytes]) => callerKey !== ALL_CALLERS && bytes !== 0).sort();
  if (changes.length === 0) return;
  const total = changes.reduce((sum, [, bytes]) => sum + bytes, 0);
  const shard = Math.floor(Math.random() * SHARDS);
  const rows = [
    sql`(${ALL_CALLERS}, ${shard}, ${total})`,
    ...changes.map(([callerKey, bytes]) => sql`(${callerKey}, ${SHARDS}, ${bytes})`),
  ];
  await sql`
    insert into state_usage (caller_key, shard, bytes) values ${sql.join(rows)}
    on conflict (caller_key, shard) do update set bytes = state_usage.bytes + excluded.bytes
  `.execute(db);
}

export async function forgetCallers({ db }: State): Promise<void> {
  await sql`delete from state_usage where caller_key <> ${ALL_CALLERS} and bytes = 0`.execute(db);
}

/** The bytes of all callers, and of one. */
export async function readUsage(
  { db }: State,
  callerKey: string,
): Promise<{ readonly all: number; readonly own: number }> {
  const { rows } = await sql<{ caller_key: string; bytes: number }>`
    select caller_key, cast(sum(bytes) as bigint) as bytes from state_usage
    where caller_key in (${ALL_CALLERS}, ${callerKey}) group by caller_key
  `.execute(db);
  const bytesOf = (key: string) => rows.find(({ caller_key }) => caller_key === key)?.bytes ?? 0;
  return { all: bytesOf(ALL_CALLERS), own: bytesOf(callerKey) };
}

/** True where a caller gets no room for more bytes: its quota is three quarters of what it has and what is free. */
export async function isFull(
  state: State,
  { callerKey, added }: { readonly callerKey: string; readonly added: number },
  room: StateRoom,
): Promise<boolean> {
  const { all, own } = await readUsage(state, callerKey);
  const left = room.maxBytes - all - added;
  return left < 0 || (!room.hasOneCaller && own + added > 3 * left);
}
