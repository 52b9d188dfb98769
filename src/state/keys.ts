import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { BeginKeyResult, LedgerKey } from './ledger.ts';
import { isAlive, requireAlive } from './owners.ts';
import { type State, type StateAccess, writeState } from './state-access.ts';
import { addUsage, isFull, ROW_BYTES } from './usage.ts';

export function beginKey(access: StateAccess, key: LedgerKey): Promise<BeginKeyResult> {
  const keyId = randomUUID();
  return writeState(access, async (state) => {
    const found = await findKey(state, key, keyId);
    if (found !== null) return found;
    await requireAlive(state, key.owner);
    if (await isFull(state, ROW_BYTES, key.maxBytes)) return { kind: 'full' };
    if (await insertKey(state, key, keyId)) {
      await addUsage(state, ROW_BYTES);
      return { kind: 'begun', keyId };
    }
    const other = await findKey(state, key, keyId);
    if (other === null) throw new Error('A key that keeps another from being inserted is not there.');
    return other;
  });
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
  const { rows } = await sql`
    insert into idempotency_keys
      (key_id, caller_key, service, operation, idempotency_key, input_hash, owner, answer, created_at, bytes)
    values (${keyId}, ${key.callerKey}, ${service}, ${key.operation}, ${key.idempotencyKey}, ${key.inputHash}, ${key.owner},
      null, ${clock}, ${ROW_BYTES})
    on conflict (caller_key, service, operation, idempotency_key) do nothing returning key_id
  `.execute(db);
  return rows.length > 0;
}

/** The first answer stays. A process that was taken for dead can't replace the one that was given meanwhile. */
export const endKey = (access: StateAccess, keyId: string, answer: string): Promise<string | null> =>
  writeState(access, async (state) => {
    const bytes = Buffer.byteLength(answer);
    const { rows } = await sql`
      update idempotency_keys set answer = ${answer}, bytes = bytes + ${bytes}
      where key_id = ${keyId} and answer is null returning key_id
    `.execute(state.db);
    if (rows.length === 0) return findAnswer(state, keyId);
    await addUsage(state, bytes);
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
    const { rows } = await sql<{ bytes: number }>`
      delete from idempotency_keys where key_id = ${keyId} and answer is null returning bytes
    `.execute(state.db);
    await addUsage(state, -(rows[0]?.bytes ?? 0));
  });
