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
  /** Lines of the log about jobs, which are written once the transaction has ended. */
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

/** The longest time of one method, in milliseconds. Who waits for its answer may give up earlier. */
const METHOD_TIMEOUT_MS = 30_000;

/** A sign of life that takes longer, in milliseconds, comes too late for the next one. */
const SIGN_OF_LIFE_TIMEOUT_MS = 3_000;

/** Whose method it is: a caller's, whose methods get connections in fair turns with others, or the process's own. */
type Turn = { readonly callerKey: string } | 'own' | 'sign-of-life';

type Work<T> = (state: State) => Promise<T>;

/** Runs `work` in one transaction. After a conflict or a lost connection it runs again, so it has its effect once. */
export async function writeState<T>(access: StateAccess, work: Work<T>, turn: Turn = 'own'): Promise<T> {
  const use = useOf(access, 'write', turn);
  const options = { ...use, writeQueue: access.writeQueue, isRepeatable: true, isUrgent: turn === 'sign-of-life' };
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

/** Runs `work` without a transaction: what belongs together is read by one statement. */
export async function readState<T>(access: StateAccess, work: Work<T>, turn: Turn = 'own'): Promise<T> {
  return unwrap(access, await runStatements(useOf(access, 'read', turn), (bound) => work(stateOf(access, bound))));
}

/** The sign of life waits for no other method: a connection is reserved for it. */
function useOf({ database, isClosed }: StateAccess, kind: CallContext['kind'], turn: Turn) {
  if (isClosed()) throw new StateUnavailable('The state is closed.');
  const isSign = turn === 'sign-of-life';
  const fairnessKey = typeof turn === 'string' ? '' : `${kind} ${turn.callerKey}`;
  const callContext = stateCall(kind, isSign ? SIGN_OF_LIFE_TIMEOUT_MS : METHOD_TIMEOUT_MS, fairnessKey);
  return { database: isSign ? database.forReadiness(callContext) : database.forCall(callContext), callContext };
}

/** A call of the state, which no request ends. */
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

/** The first row of a statement; null where it has none. */
export const firstRow = async <Row>({ db }: Pick<State, 'db'>, statement: RawBuilder<Row>): Promise<Row | null> =>
  (await statement.execute(db)).rows[0] ?? null;

/** True for an owner whose time is not over. The expression gives the owner. */
export const isAlive = ({ clock }: State, owner: string) =>
  sql<boolean>`exists (select 1 from job_owners as o where o.owner = ${sql.ref(owner)} and o.alive_until > ${clock})`;

/**
 * The clock may have been set back. The time of an owner lies further ahead then than any that is told now, and is moved to
 * where it would lie if it were told now: nobody lives for longer after the step than before it, and nobody for shorter.
 */
export async function keepOwnerAlive({ db, clock }: State, owner: string, forMs: number): Promise<void> {
  await sql`
    insert into job_owners (owner, alive_until, alive_ms)
    values (${owner}, ${clock} + cast(${forMs} as bigint), ${Math.max(0, forMs)})
    on conflict (owner) do update set alive_until = excluded.alive_until, alive_ms = excluded.alive_ms
  `.execute(db);
  await sql`update job_owners set alive_until = ${clock} + alive_ms where alive_until > ${clock} + alive_ms`.execute(
    db,
  );
}

/** Throws `StateUnavailable` for a process that nobody else knows to live: others would take over what it begins. */
export async function requireAlive(state: State, owner: string): Promise<void> {
  const found = await firstRow(
    state,
    sql`select 1 from job_owners where owner = ${owner} and alive_until > ${state.clock}`,
  );
  if (found === null) throw new StateUnavailable('This process has not told for too long that it lives.');
}

/** The bytes of a row besides its texts: a rough figure. */
export const ROW_BYTES = 400;

/** The key of the rows for all callers together, which no caller has. */
const ALL_CALLERS = '';

/** The rows of the sum for all callers, so that writes seldom wait for each other. Each caller has one row after these. */
const SHARDS = 8;

/**
 * Counts bytes that callers have added or given back. The last statement of a transaction, so that it holds the locks of the
 * rows for a short time only, and in one order, so that no two wait for each other.
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

/** Forgets callers of whom nothing is kept. */
export async function forgetCallers({ db }: State): Promise<void> {
  await sql`delete from state_usage where caller_key <> ${ALL_CALLERS} and bytes = 0`.execute(db);
}

/** The bytes that are kept, roughly: of all callers, and of one. */
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

/**
 * True where a caller gets no room for more bytes. A quarter of what it could have at most, with what it has, stays for
 * others, so that each further one finds some.
 */
export async function isFull(
  state: State,
  { callerKey, added }: { readonly callerKey: string; readonly added: number },
  room: StateRoom,
): Promise<boolean> {
  const { all, own } = await readUsage(state, callerKey);
  const left = room.maxBytes - all - added;
  return left < 0 || (!room.hasOneCaller && own + added > 3 * left);
}
