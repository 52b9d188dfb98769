import { type Log, silentLog } from '../../src/core/base/log.ts';
import { openBackend } from '../../src/server/open-backend.ts';
import { type FaultyService, openFaultyService } from '../support/faulty-service.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { ANSWERS } from './answers.ts';
import { CONNECTIONS } from './connections.ts';
import type { Fault } from './fault.ts';
import { good } from './good-service.ts';
import { BULK_SIZE, OPERATION_NAMES, OPERATIONS, type OperationName, outcomeOf } from './operations.ts';
import { STATUSES } from './statuses.ts';

export const FAULTS: readonly Fault[] = [...CONNECTIONS, ...ANSWERS, ...STATUSES];

export const TOKEN = 'token-of-the-service';

/** Deadline of one call, in milliseconds; a fault that is silence lasts that long. */
export const CALL_MS = 2_000;

/** Deadline of one request to the gateway, in milliseconds (`REQUEST_TIMEOUT_MS`). */
export const REQUEST_MS = 10_000;

export interface GatewaySettings {
  readonly callMs?: number;
  readonly requestMs?: number;
  readonly bulkSize?: number;
  readonly maxBulkCalls?: number;
  readonly log?: Log;
}

/** A gateway as `serve` creates it, in front of the service at a URL. */
export async function openGateway(baseUrl: string, options: GatewaySettings = {}): Promise<Gateway> {
  const {
    callMs = CALL_MS,
    requestMs = REQUEST_MS,
    bulkSize = BULK_SIZE,
    maxBulkCalls = 200,
    log = silentLog,
  } = options;
  const backend = await openBackend({
    config: {
      kind: 'rest',
      setting: 'UPSTREAM_URL',
      baseUrl,
      apiToken: null,
      apiTokens: null,
      proxyUrl: null,
      timeoutMs: callMs,
      bulkSize,
      maxBulkCalls,
      maxReadCalls: 60,
      // The faults are those of the call itself, with no read before it.
      keepsHidden: false,
      readCacheMs: 0,
      readCacheBytes: 0,
    },
    userAgent: 'kb-gateway/test',
    coalesceWrites: true,
    audit: null,
    apiTokens: [],
    log,
  });
  return startGateway({ backend, local: false, token: TOKEN, requestTimeoutMs: requestMs });
}

/** The result of an operation that met a fault. */
export interface Run {
  readonly outcome: string;
  readonly calls: number;
  readonly ms: number;
  /** Connections to another origin to which the service redirected. */
  readonly otherOriginConnections: number;
}

/** The service with the fault, the gateway, and another origin. */
interface Scene {
  readonly service: FaultyService;
  readonly otherOrigin: FaultyService;
  readonly gateway: Gateway;
}

async function runFault(fault: Fault, operation: OperationName): Promise<Run> {
  const [service, otherOrigin] = [await openFaultyService(), await openFaultyService()];
  const gateway = await openGateway(fault.upstream?.(new URL(service.url)) ?? service.url);
  const scene = { service, otherOrigin, gateway };
  try {
    // A service that cannot be reached has accepted no token.
    if (!fault.upstream) await useConnection(scene, fault.idle ?? 'closed');
    return await run(scene, fault, operation);
  } finally {
    await Promise.all([gateway, service, otherOrigin].map((opened) => opened.close()));
  }
}

/** Leaves the gateway with an accepted token, and with a used connection that is kept or closed. */
export async function useConnection(
  { service, gateway }: Pick<Scene, 'service' | 'gateway'>,
  idle: 'kept' | 'closed',
): Promise<void> {
  service.onAny(good());
  await gateway.send('{ projectVersions { name } }');
  if (idle === 'closed') await service.closeConnections();
}

async function run({ service, otherOrigin, gateway }: Scene, fault: Fault, name: OperationName): Promise<Run> {
  const { query, variables, meetsFault } = OPERATIONS[name];
  const faulty = fault.behaviour?.(otherOrigin.url) ?? good();
  const before = service.received.length;
  const faultyBodies = new Set<string>();
  service.onAny((response, request) => {
    const body = `${request.method} ${JSON.stringify(request.body)}`;
    if (meetsFault(request, service.received.length - before)) faultyBodies.add(body);
    return (faultyBodies.has(body) ? faulty : good())(response, request);
  });
  const begin = performance.now();
  const { body } = await gateway.send(query, variables);
  const ms = Math.round(performance.now() - begin);
  return {
    outcome: outcomeOf(body),
    calls: service.received.length - before,
    ms,
    otherOriginConnections: otherOrigin.connections(),
  };
}

/** Concurrent operations: few, so that one that unpacks 20 MB does not take the time of the others. */
const CONCURRENCY = 8;

/** Runs every fault with every operation. */
export async function runAll(): Promise<(fault: Fault, operation: OperationName) => Run | undefined> {
  const runs = new Map<string, Run>();
  const todo = FAULTS.flatMap((fault) => OPERATION_NAMES.map((operation) => ({ fault, operation }))).values();
  const work = async () => {
    for (const { fault, operation } of todo) runs.set(`${fault.name} ${operation}`, await runFault(fault, operation));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return (fault, operation) => runs.get(`${fault.name} ${operation}`);
}
