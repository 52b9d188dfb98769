import { describe, expect, it, onTestFinished } from 'vitest';
import type { OutcomeCounts } from '../../../src/core/callers/request-report.ts';
import { noMetrics } from '../../../src/core/metrics.ts';
import { createSchema } from '../../../src/graphql/schema/schema.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { type Behaviour, cutWithin, drip, hang, reset, status } from '../../support/faulty-service.ts';
import { startGateway } from '../../support/gateway.ts';
import { callerWith, openAcceptedScene, openScene } from '../../support/rest-scene.ts';
import { ALL_WRITES, JOB_MUTATIONS, mutationOf, previewNameOf, serveWrite } from '../../support/writes.ts';
import { openAudited } from './audit-harness.ts';

it('the table of writes has every mutation of the schema, beside previews and those of jobs', () => {
  const writes = ALL_WRITES.map(({ name }) => name);
  const known = [...writes, ...writes.map(previewNameOf), ...Object.keys(JOB_MUTATIONS)];
  expect(Object.keys(createSchema().getMutationType()?.getFields() ?? {}).sort()).toEqual(known.sort());
});

/** Behaviours after which nobody knows whether the write took effect. */
const FAULTS: readonly (readonly [string, Behaviour])[] = [
  ['no answer in time', hang()],
  ['a dripping answer', drip()],
  ['a reset', reset()],
  ['a cut answer', cutWithin(200, '{"success": true, "data": [')],
  ['an HTML page', status(200, '<html>')],
  ['204', status(204)],
  ['303', status(303, '', { location: '/elsewhere' })],
  ['500', status(500)],
  ['an HTML 502', status(502, '<html>')],
  ['503', status(503)],
];

const NONE: OutcomeCounts = { updated: 0, failed: 0, unknown: 0, notAttempted: 0 };

describe.each(ALL_WRITES)('$name', (write) => {
  /** A gateway that audits and counts, in front of a service that takes the write. */
  async function start(timeoutMs = 60_000) {
    const { service, backend } = await openScene({ timeoutMs });
    serveWrite(service, write);
    const counted: OutcomeCounts[] = [];
    const metrics = { ...noMetrics, countItems: (counts: OutcomeCounts) => void counted.push({ ...counts }) };
    const audited = await openAudited(backend, 'closed', { metrics, merging: mergeWrites({ maxItems: 100 }) });
    const gateway = await startGateway({ backend: audited.backend, local: false, token: 'token' });
    onTestFinished(() => gateway.close());
    const send = async (key: string | null = null) => {
      const { body } = await gateway.send(mutationOf(write), { input: write.inputs[0], key });
      return Object(body.data?.['result']);
    };
    const phases = async () => (await audited.records()).map(({ phase }) => phase);
    return { service, audited, counted, send, phases, calls: () => service.receivedOn(write.route).length };
  }

  it('is in the audit log before it is sent, with its outcome before it is answered, and is counted once', async () => {
    const { service, audited, counted, send } = await start();
    let recordsWhenSent: unknown;
    service.on(write.route, async (response, request) => {
      recordsWhenSent = await audited.records();
      await write.good(response, request);
    });
    expect(await send()).toMatchObject({ __typename: expect.stringMatching(/Payload$/u), replayed: false });
    const [intent, outcome, ...more] = await audited.records();
    expect(more).toEqual([]);
    expect(recordsWhenSent).toEqual([intent]);
    expect(intent).toMatchObject({ phase: 'intent', operation: write.name, ...write.audited });
    expect(outcome).toMatchObject({ phase: 'outcome', operation: write.name, result: 'payload' });
    expect(counted).toEqual([{ ...NONE, ...write.counts }]);
  });

  it('is not begun in the last second of its request', async () => {
    const { service, backend } = await openAcceptedScene();
    serveWrite(service, write);
    const audited = await openAudited(backend);
    const caller = callerWith('token-1', 900);
    expect(await write.send(audited.backend, caller)).toMatchObject({ error: { kind: 'unavailable' } });
    expect(service.receivedOn(write.route)).toEqual([]);
    expect(caller.summary.outcomes).toEqual({ ...NONE, notAttempted: write.items });
  });

  it.each(FAULTS)(
    'is sent once, and told, audited and counted as unknown, after %s',
    { tags: 'long' },
    async (_name, behaviour) => {
      const { service, audited, counted, send, calls } = await start(500);
      service.on(write.route, behaviour);
      await send();
      expect(calls()).toBe(1);
      expect(counted).toEqual([{ ...NONE, unknown: write.items }]);
      expect(await audited.records()).toMatchObject([
        { phase: 'intent' },
        { phase: 'outcome', ...write.auditedUnknown },
      ]);
    },
  );

  it('is neither sent nor audited nor counted again by a request with the same idempotency key', async () => {
    const { counted, send, phases, calls } = await start();
    const first = await send('key');
    expect(first).toMatchObject({ replayed: false });
    expect(await send('key')).toMatchObject({ ...first, replayed: true });
    expect(calls()).toBe(1);
    expect(counted).toHaveLength(1);
    expect(await phases()).toEqual(['intent', 'outcome']);
  });

  it('is not made again by its idempotency key after an unknown outcome', async () => {
    const { service, counted, send, calls } = await start();
    service.on(write.route, reset());
    await send('key');
    service.on(write.route, write.good);
    const second = await send('key');
    expect(calls()).toBe(1);
    expect(counted).toEqual([{ ...NONE, unknown: write.items }]);
    expect(JSON.stringify(second)).toMatch(/(?:Article(?:Update|Create)|CategoryCreate)Unknown|OutcomeUnknownError/u);
  });
});
