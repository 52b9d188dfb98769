import { type RawBuilder, sql } from 'kysely';
import type { BeginKeyResult, LedgerKey } from './ledger.ts';
import { addUsage, firstRow, hasHeartbeat, isFull, ROW_BYTES, requireHeartbeat, type State } from './state-access.ts';

/** Begins a key, with the given ID, or gives its state where it has begun before. */
export async function beginKey(state: State, key: LedgerKey, keyId: string): Promise<BeginKeyResult> {
  const found = await findKey(state, key, keyId);
  if (found !== null) return found;
  await requireHeartbeat(state, key.owner);
  if (await isFull(state, { callerKey: key.callerKey, added: ROW_BYTES }, key)) return { kind: 'full' };
  if (await insertKey(state, key, keyId)) {
    await addUsage(state, [[key.callerKey, ROW_BYTES]]);
    return { kind: 'begun', keyId };
  }
  const other = await findKey(state, key, keyId);
  if (other === null) throw new Error('A key that keeps another from being inserted is not there.');
  return other;
}

interface FoundKey {
  readonly key_id: string;
  readonly owner: string;
  readonly input_hash: string;
  readonly answer: string | null;
  readonly has_heartbeat: number;
}

async function findKey(state: State, key: LedgerKey, keyId: string): Promise<BeginKeyResult | null> {
  const found = await firstRow(
    state,
    sql<FoundKey>`
      select k.key_id, k.owner, k.input_hash, k.answer, case when ${hasHeartbeat(state, sql`k.owner`)} then 1 else 0 end as has_heartbeat
      from idempotency_keys as k
      where k.caller_key = ${key.callerKey} and k.service = ${state.service} and k.operation = ${key.operation}
        and k.idempotency_key = ${key.idempotencyKey} ${state.dialect.rowLock ?? sql``}
    `,
  );
  if (found === null) return null;
  // This call has begun the key, and the answer to its commit was lost.
  if (found.key_id === keyId) return { kind: 'begun', keyId };
  if (found.input_hash !== key.inputHash) return { kind: 'conflict' };
  if (found.answer !== null) return { kind: 'ended', answer: found.answer };
  const { key_id, owner, has_heartbeat } = found;
  return has_heartbeat === 1
    ? { kind: 'in-flight', keyId: key_id, isOwn: owner === key.owner }
    : { kind: 'lost', keyId: key_id };
}

async function insertKey(state: State, key: LedgerKey, keyId: string): Promise<boolean> {
  const { clock, service } = state;
  const { lifetimeMs } = key;
  const expiresAt = lifetimeMs === undefined ? sql`null` : sql`${clock} + cast(${lifetimeMs} as bigint)`;
  const inserted = sql`
    insert into idempotency_keys
      (key_id, caller_key, service, operation, idempotency_key, input_hash, owner, answer, created_at, expires_at, bytes)
    values (${keyId}, ${key.callerKey}, ${service}, ${key.operation}, ${key.idempotencyKey}, ${key.inputHash}, ${key.owner},
      null, ${clock}, ${expiresAt}, ${ROW_BYTES})
    on conflict (caller_key, service, operation, idempotency_key) do nothing returning key_id
  `;
  return (await firstRow(state, inserted)) !== null;
}

/** Records the answer of a key, of which the first one stays. */
export async function endKey(state: State, keyId: string, answer: string): Promise<string | null> {
  const bytes = Buffer.byteLength(answer);
  const updated = sql<{ caller_key: string }>`
    update idempotency_keys set answer = ${answer}, bytes = bytes + ${bytes}
    where key_id = ${keyId} and answer is null returning caller_key
  `;
  const ended = await firstRow(state, updated);
  if (ended !== null) {
    await addUsage(state, [[ended.caller_key, bytes]]);
    return answer;
  }
  const kept = sql<{ answer: string | null }>`select answer from idempotency_keys where key_id = ${keyId}`;
  return (await firstRow(state, kept))?.answer ?? null;
}

export async function forgetKey(state: State, keyId: string): Promise<void> {
  await deleteKeys(state, sql`key_id = ${keyId} and answer is null`);
}

export async function deleteKeys(state: State, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ caller_key: string; bytes: number }>`
    delete from idempotency_keys where ${condition} returning caller_key, bytes
  `.execute(state.db);
  const freed = new Map<string, number>();
  for (const { caller_key, bytes } of rows) freed.set(caller_key, (freed.get(caller_key) ?? 0) - bytes);
  await addUsage(state, freed);
  return rows.length;
}
