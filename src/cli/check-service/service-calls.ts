import type { ProjectVersion } from '../../core/articles/articles.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { silentLog } from '../../core/base/log.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { TickQueue } from '../../core/base/tick-queue.ts';
import { createCaller } from '../../core/callers/caller.ts';
import { createRequestFacts } from '../../core/callers/request-facts.ts';
import { noMetrics } from '../../core/metrics.ts';
import type { RestBackendConfig } from '../../server/config.ts';
import { userAgent } from '../../server/package-version.ts';
import { openCallPipeline } from '../../service/calls/call-pipeline.ts';
import { pathTemplateOf, type ServiceCall, type WriteOperation } from '../../service/calls/service-call.ts';
import { payloadOf } from '../../service/v2/envelope.ts';
import { UnreadableMember } from '../../service/v2/fields.ts';
import { decodeProjectVersion } from '../../service/v2/project-versions.ts';

export interface ServiceAnswer {
  /** 0 where there is none. */
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The member `data` or `result`; undefined in errors. */
  readonly payload: unknown;
}

/** An entry of the report: what was asked, and the shape of what came. */
interface ReportedCall {
  readonly call: string;
  readonly httpStatus: number;
  readonly shape: unknown;
}

/** Sends calls one after another, each once, within the rate limit, and records their shapes. */
export class ServiceCalls {
  readonly #upstream;
  readonly #apiToken: string;
  readonly #timeoutMs: number;
  readonly reported: ReportedCall[] = [];

  constructor(config: Pick<RestBackendConfig, 'baseUrl' | 'setting' | 'proxyUrl' | 'timeoutMs'>, apiToken: string) {
    this.#apiToken = apiToken;
    this.#timeoutMs = config.timeoutMs;
    this.#upstream = openCallPipeline({
      ...config,
      userAgent: userAgent(),
      maxSockets: 1,
      maxWaiting: 1,
      ticks: new TickQueue(),
      tracer: null,
      shared: null,
      invalidations: null,
      log: silentLog,
      metrics: noMetrics,
    });
  }

  read(path: ServiceCall['path'], query: NonNullable<ServiceCall['query']> = {}): Promise<ServiceAnswer> {
    return this.#send({ kind: 'read', path, query });
  }

  write(method: 'PUT' | 'POST' | 'DELETE', path: ServiceCall['path'], body: unknown): Promise<ServiceAnswer> {
    const common: WriteOperation = { kind: 'write', path, body, staleReads: 'articles' };
    return this.#send(method === 'PUT' ? common : { ...common, method });
  }

  close(): void {
    this.#upstream.close();
  }

  async #send(operation: ServiceCall): Promise<ServiceAnswer> {
    const headers = new Headers({ api_token: this.#apiToken });
    // A minute more than a call takes, since it may wait for the rate limit.
    const requestTimeoutMs = this.#timeoutMs + 60_000;
    const caller = createCaller({ headers, address: '', requestTimeoutMs, request: createRequestFacts() });
    const sent = await this.#upstream.send(caller, operation);
    const { httpStatus, headers: received, body } = sent.ok ? sent.value : NO_ANSWER;
    const method = operation.kind === 'read' ? 'GET' : (operation.method ?? 'PUT');
    const query = Object.keys(operation.query ?? {}).join('&');
    const call = `${method} ${pathTemplateOf(operation.path)}${query === '' ? '' : `?${query}`}`;
    this.reported.push({ call, httpStatus, shape: shapeOf(body) });
    return { httpStatus, headers: received, body, payload: httpStatus === 200 ? payloadOf(body) : undefined };
  }
}

const NO_ANSWER = { httpStatus: 0, headers: {}, body: undefined } as const;

/** The objects of a list, or the only one in its place; empty for anything else. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  (Array.isArray(value) ? value : [value]).filter(isObject);

/** The project versions of an answer. The error names the place of what can't be read. */
export function projectVersionsIn({ payload }: ServiceAnswer): Result<readonly ProjectVersion[], string> {
  try {
    return ok(objectsIn(payload).flatMap((entry) => decodeProjectVersion(entry) ?? []));
  } catch (error) {
    if (!(error instanceof UnreadableMember)) throw error;
    return err(`the service lists a project version whose member ${error.place} cannot be read.`);
  }
}

/** Members whose own members are free, and so may be values. */
const FREE: ReadonlySet<string> = new Set(['custom_data', 'extension_data']);

/** The deepest level of a shape; trees of categories repeat theirs. */
const MAX_DEPTH = 6;

/** The types of a JSON value by the names of its members, without any value. A list has the shape of all its entries. */
function shapeOf(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return { list: depth < MAX_DEPTH ? mergedShape(value, depth + 1) : 'any' };
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  if (depth >= MAX_DEPTH) return 'object';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, FREE.has(name) ? typeof member : shapeOf(member, depth + 1)]),
  );
}

/** One shape for all entries of a list; a member of several types has them all. */
function mergedShape(entries: readonly unknown[], depth: number): unknown {
  const shapes = entries.map((entry) => shapeOf(entry, depth));
  const objects = shapes.filter(isObject);
  if (objects.length < shapes.length) return [...new Set(shapes.map((shape) => JSON.stringify(shape)))].join(' | ');
  const merged: Record<string, unknown> = {};
  for (const name of new Set(objects.flatMap((shape: JsonObject) => Object.keys(shape)))) {
    const types = new Set(objects.map((shape) => JSON.stringify(shape[name] ?? 'absent')));
    merged[name] = [...types].map((type): unknown => JSON.parse(type));
    if (types.size === 1) merged[name] = objects[0]?.[name];
  }
  return merged;
}
