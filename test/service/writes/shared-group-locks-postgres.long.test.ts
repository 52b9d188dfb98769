import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import type { RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { openStateAt } from '../../jobs/state/shared/postgres-scene.ts';
import { databaseToDrop } from '../../store/store.ts';
import { type Behaviour, type FaultyService, hang, held, status } from '../../support/faulty-service.ts';
import { foundGroup, groupWritten, joining, keepGroup, wholeUpdate } from '../../support/kept-group.ts';
import { createRecordedLocks, type LockRecord } from '../../support/recorded-group-locks.ts';
import { list } from '../../support/repeat.ts';
import { accept, callerWith, openAcceptedScene, openBackendTo } from '../../support/rest-scene.ts';

const PUT = 'PUT /v2/Readers/groups/g1';
const GET = 'GET /v2/Readers/groups/g1';

async function openShared(options: Partial<RestBackendOptions> = {}) {
  const locks = createRecordedLocks();
  const scene = await openAcceptedScene({ shared: locks.first, ...options });
  return { ...scene, locks, record: locks.record };
}

/** Two gateways in front of one service, with the same locks. */
async function openTwo(options: Partial<RestBackendOptions> = {}) {
  const { service, locks, record, backend: first } = await openShared(options);
  const second = await openSecond(service, { shared: locks.second, ...options });
  return { service, record, first, second };
}

async function openSecond(service: FaultyService, options: Partial<RestBackendOptions>): Promise<Backend> {
  const second = openBackendTo(service, options);
  onTestFinished(() => second.close());
  await accept({ service, backend: second });
  return second;
}

/** The same, over PostgreSQL. */
async function openTwoOverPostgres() {
  const { url } = await databaseToDrop();
  const open = async () => {
    const shared = await openStateAt(url);
    onTestFinished(() => shared.close());
    return shared;
  };
  const { service, backend: first } = await openAcceptedScene({ shared: await open() });
  return { service, first, second: await openSecond(service, { shared: await open() }) };
}

/** Writes an event when the service gets the request. */
const recorded =
  ({ events }: LockRecord, name: string, behaviour: Behaviour): Behaviour =>
  (response, request) => {
    events.push(name);
    return behaviour(response, request);
  };

const unsent = (text: string) => ({
  ok: false,
  error: { kind: 'unavailable', message: expect.stringContaining(text) },
});

describe('updates of one reader group on two gateways', () => {
  it.each([
    ['a state in memory', () => openTwo()],
    ['PostgreSQL', openTwoOverPostgres],
  ])('run one after another, so that none undoes another: over %s', async (_name, open) => {
    const { service, first, second } = await open();
    const kept = keepGroup(service);
    const readers = list(30, (index) => `r${index}`);
    const results = await Promise.all(
      readers.map((id, index) => (index % 2 ? first : second).changeReaderGroupMembers(callerWith(), joining(id))),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(kept.members()).toMatchObject({ associated_readers: expect.arrayContaining(readers) });
    expect(kept.mostAtOnce()).toBe(1);
  });

  it('are a group whatever the case of its ID, and also where they replace it whole', async () => {
    const { service, record, first, second } = await openTwo();
    service.on(PUT, recorded(record, 'PUT', groupWritten));
    service.on('PUT /v2/Readers/groups/G1', recorded(record, 'PUT', groupWritten));
    await Promise.all([
      first.updateReaderGroup(callerWith(), wholeUpdate),
      second.updateReaderGroup(callerWith(), { ...wholeUpdate, groupId: 'G1' }),
    ]);
    const one = ['acquire', 'note', 'PUT', 'end', 'release'];
    expect(record.events).toEqual([...one, ...one]);
  });

  it('wait for one on the other gateway no longer than their caller, and fail unsent', async () => {
    const { service, first, second } = await openTwo({ timeoutMs: 1_500 });
    service.on(PUT, hang());
    const hanging = first.updateReaderGroup(callerWith(), wholeUpdate);
    await expect.poll(() => service.receivedOn(PUT)).toHaveLength(1);
    expect(await second.updateReaderGroup(callerWith('token-1', 100), wholeUpdate)).toMatchObject(
      unsent('took all the time'),
    );
    await hanging;
    expect(service.receivedOn(PUT)).toHaveLength(1);
  });
});

describe('a write of a group without an outcome', () => {
  it('keeps the group unread on all gateways for as long as it may take effect', async () => {
    const { service, record, first, second } = await openTwo({ timeoutMs: 1_000 });
    service.on(PUT, hang());
    expect(await first.updateReaderGroup(callerWith(), wholeUpdate)).toMatchObject({
      error: { kind: 'outcome-unknown' },
    });
    const settled = record.notedUntil;
    expect(record.events).toEqual(['acquire', 'note', 'release']);
    let readAt = 0;
    service.on(PUT, groupWritten);
    service.on(GET, (...exchange) => {
      readAt = performance.now();
      return foundGroup()(...exchange);
    });
    for (const backend of [first, second])
      expect(await backend.changeReaderGroupMembers(callerWith('token-1', 1_500), joining('r9'))).toMatchObject(
        unsent('An earlier write of this reader group'),
      );
    expect(readAt).toBe(0);
    expect(await second.changeReaderGroupMembers(callerWith(), joining('r9'))).toMatchObject({ ok: true });
    // A timer may end a millisecond early.
    expect(readAt).toBeGreaterThan(settled - 2);
  });
});

describe('the note of a write', () => {
  it('is that of a write which begins before its end by both clocks, and else is not sent', async () => {
    const { service, record, backend, caller } = await openShared();
    service.on(PUT, groupWritten);
    onTestFinished(() => void vi.useRealTimers());
    record.onNoted = () => {
      // The machine sleeps for an hour while the connection is made, which only the wall clock tells.
      process.nextTick(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 }));
    };
    expect(await backend.updateReaderGroup(caller, wholeUpdate)).toMatchObject(unsent('waited for longer'));
    expect(service.receivedOn(PUT)).toEqual([]);
  });

  it('gives its write two seconds to begin, from before it was made', async () => {
    const { service, record, backend, caller } = await openShared();
    service.on(PUT, groupWritten);
    onTestFinished(() => void vi.useRealTimers());
    record.onNote = () => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 800 });
    record.onNoted = () => process.nextTick(() => vi.setSystemTime(Date.now() + 1_300));
    expect(await backend.updateReaderGroup(caller, wholeUpdate)).toMatchObject(unsent('waited for longer'));
    expect(service.receivedOn(PUT)).toEqual([]);
  });

  it('does not replace the lease of a key', async () => {
    const { service, backend, caller } = await openShared();
    service.on(PUT, groupWritten);
    const late = { ...caller, lease: { isExpired: () => true } };
    expect(await backend.updateReaderGroup(late, wholeUpdate)).toMatchObject(unsent('waited for longer'));
    expect(service.receivedOn(PUT)).toEqual([]);
  });

  it('comes right before each time that the write is sent, and ends with each answer', async () => {
    const { service, record, backend, caller } = await openShared();
    service.on(GET, recorded(record, 'GET', foundGroup()));
    service.on(
      PUT,
      recorded(record, 'PUT', status(429, '', { 'retry-after': '0' })),
      recorded(record, 'PUT', groupWritten),
    );
    expect(await backend.changeReaderGroupMembers(caller, joining('r9'))).toMatchObject({ ok: true });
    const attempt = ['note', 'PUT', 'end'];
    // The second attempt has waited too long after the read, so that it ends unsent and the group is read again.
    expect(record.events).toEqual(['acquire', 'GET', ...attempt, 'note', 'end', 'GET', ...attempt, 'release']);
  });

  it('is not made where nothing is written', async () => {
    const { service, record, backend, caller } = await openShared();
    service.on(GET, foundGroup(), status(500));
    expect(await backend.changeReaderGroupMembers(caller, joining('r1'))).toMatchObject({ ok: true });
    expect(await backend.changeReaderGroupMembers(caller, joining('r9'))).toMatchObject({ ok: false });
    expect(record.events).toEqual(['acquire', 'release', 'acquire', 'release']);
  });

  it.each(['closed', 'open'] as const)('keeps the write from being sent where the lock was lost (%s)', async (mode) => {
    const { service, locks, record, backend, caller } = await openShared({ onSharedFailure: mode });
    service.on(PUT, groupWritten);
    service.on(GET, (...exchange) => {
      locks.setState('away');
      locks.setState('back');
      return foundGroup()(...exchange);
    });
    expect(await backend.changeReaderGroupMembers(caller, joining('r9'))).toMatchObject(unsent('was lost'));
    expect(service.receivedOn(PUT)).toEqual([]);
    expect(record.inUse).toBe(0);
  });

  it('is made anew where the process stood still after it, and the write is refused where it does so again', async () => {
    const { service, record, backend, caller } = await openShared();
    service.on(PUT, groupWritten);
    record.onNote = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_010);
    expect(await backend.updateReaderGroup(caller, wholeUpdate)).toMatchObject(unsent('too slow'));
    expect(record.events).toEqual(['acquire', 'note', 'note', 'end', 'release']);
    expect(service.received).toEqual([]);
  });
});

describe('the locks of groups while the state is away', () => {
  it('fail each update, unsent, where STATE_FAILURE is closed', async () => {
    const { service, locks, backend, caller } = await openShared();
    service.on(PUT, groupWritten);
    locks.setState('away');
    expect(await backend.updateReaderGroup(caller, wholeUpdate)).toMatchObject(unsent('cannot be reached'));
    expect(service.received).toEqual([]);
    locks.setState('back');
    expect(await backend.updateReaderGroup(caller, wholeUpdate)).toMatchObject({ ok: true });
  });

  it('are done without where it is open', async () => {
    const { service, locks, backend } = await openShared({ onSharedFailure: 'open' });
    service.on(PUT, groupWritten);
    for (const state of ['away', 'away', 'back', 'back', 'away'] as const) {
      locks.setState(state);
      expect(await backend.updateReaderGroup(callerWith(), wholeUpdate)).toMatchObject({ ok: true });
    }
  });
});

describe('the locks that one process may hold', () => {
  it('are left in part to others by the updates of one token', async () => {
    const { service, record, backend, caller } = await openShared();
    await accept({ service, backend }, 'token-2');
    const { behaviour, release } = held(groupWritten);
    service.onAny(behaviour);
    service.on('PUT /v2/Readers/groups/other', groupWritten);
    const writing = list(60, (index) => backend.updateReaderGroup(caller, { ...wholeUpdate, groupId: `g${index}` }));
    expect(await backend.updateReaderGroup(callerWith('token-2'), { ...wholeUpdate, groupId: 'other' })).toMatchObject({
      ok: true,
    });
    expect(record.inUse).toBe(48);
    release();
    expect((await Promise.all(writing)).every(({ ok }) => ok)).toBe(true);
    expect(record.inUse).toBe(0);
  });
});
