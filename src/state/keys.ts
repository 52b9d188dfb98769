import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { BeginKeyResult, LedgerKey } from './ledger.ts';
import {
  addUsage,
  isAlive,
  isFull,
  ROW_BYTES,
  requireAlive,
  type State,
  type StateAccess,
  writeState,
} from './state-access.ts';

export function beginKey(access: StateAccess, key: LedgerKey): Promise<BeginKeyResult> {
  const keyId = randomUUID();
  return writeState(
    access,
    async (state) => {
      const found = await findKey(state, key, keyId);
      if (found !== null) return found;
      await requireAlive(state, key.owner);
      if (await isFull(state, { callerKey: key.callerKey, added: ROW_BYTES }, key)) return { kind: 'full' };
      if (await insertKey(state, key, keyId)) {
        await addUsage(state, new Map([[key.callerKey, ROW_BYTES]]));
        return { kind: 'begun', keyId };
      }
      const other = await findKey(state, key, keyId);
      if (other === null) throw new Error('A key that keeps another from being inserted is not there.');
      return other;
    },
    key,
  );
}

interface FoundKey {
  readonly key_id: string;
  readonly owner: string;
  readonly input_hash: string;
  readonly answer: string | null;
  readonly is_alive: number;
}

async function findKey(state: State, key: LedgerKey, keyId: string): Promise<BeginKeyResult | null> {
  const { rows } = await sql<FoundKey>`
    select k.key_id, k.owner, k.input_hash, k.answer, case when ${isAlive(state, 'k.owner')} then 1 else 0 end as is_alive
    from idempotency_keys as k
    where k.caller_key = ${key.callerKey} and k.service = ${state.service} and k.operation = ${key.operation}
      and k.idempotency_key = ${key.idempotencyKey} ${state.dialect.rowLock ?? sql``}
  `.execute(state.db);
  const [found] = rows;
  if (found === undefined) return null;
  // The key was begun by this call, and the answer to its commit was lost.
  if (found.key_id === keyId) return { kind: 'begun', keyId };
  if (found.input_hash !== key.inputHash) return { kind: 'conflict' };
  if (found.answer !== null) return { kind: 'ended', answer: found.answer };
  const { key_id, owner, is_alive } = found;
  return is_alive === 1
    ? { kind: 'in-flight', keyId: key_id, isOwn: owner === key.owner }
    : { kind: 'lost', keyId: key_id };
}

async function insertKey({ db, clock, service }: State, key: LedgerKey, keyId: string): Promise<boolean> {
  const { lifetimeMs } = key;
  const expiresAt = lifetimeMs === undefined ? sql`null` : sql`${clock} + cast(${lifetimeMs} as bigint)`;
  const { rows } = await sql`
    insert into idempotency_keys
      (key_id, caller_key, service, operation, idempotency_key, input_hash, owner, answer, created_at, expires_at, bytes)
    values (${keyId}, ${key.callerKey}, ${service}, ${key.operation}, ${key.idempotencyKey}, ${key.inputHash}, ${key.owner},
      null, ${clock}, ${expiresAt}, ${ROW_BYTES})
    on conflict (caller_key, service, operation, idempotency_key) do nothing returning key_id
  `.execute(db);
  return rows.length > 0;
}

/** The first answer stays. A process that was taken for dead can't replace the one that was given meanwhile. */
export const endKey = (access: StateAccess, keyId: string, answer: string): Promise<string | null> =>
  writeState(access, async (state) => {
    const bytes = Buffer.byteLength(answer);
    const { rows } = await sql<{ caller_key: string }>`
      update idempotency_keys set answer = ${answer}, bytes = bytes + ${bytes}
      where key_id = ${keyId} and answer is null returning caller_key
    `.execute(state.db);
    const [ended] = rows;
    if (ended === undefined) return findAnswer(state, keyId);
    await addUsage(state, new Map([[ended.caller_key, bytes]]));
    return answer;
  });

async function findAnswer({ db }: State, keyId: string): Promise<string | null> {
  const { rows } = await sql<{ answer: string | null }>`
    select answer from idempotency_keys where key_id = ${keyId}
  `.execute(db);
  return rows[0]?.answer ?? null;
}

export const forgetKey = (access: StateAccess, keyId: string): Promise<void> =>
  writeState(access, async (state) => {
    await deleteKeys(state, sql`key_id = ${keyId} and answer is null`);
  });

/** Deletes keys, and returns how many. */
export async function deleteKeys(state: State, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ caller_key: string; bytes: number }>`
    delete from idempotency_keys where ${condition} returning caller_key, bytes
  `.execute(state.db);
  const freed = new Map<string, number>();
  for (const { caller_key, bytes } of rows) freed.set(caller_key, (freed.get(caller_key) ?? 0) - bytes);
  await addUsage(state, freed);
  return rows.length;
}
