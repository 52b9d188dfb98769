import type { ChildProcess } from 'node:child_process';
import type { Dialect } from '../documents.ts';
import type { Operation } from '../workloads.ts';

/** The resources that a process has used since its start. */
export interface Usage {
  /** User and system CPU time of all threads, in microseconds. */
  readonly cpuMicros: number;
  /** The highest resident set size, in bytes. */
  readonly peakRssBytes: number;
}

/** The delay of timers by the event loop, in milliseconds. */
export interface Lag {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** One period of load. Every connection sends its next request when it has received the response to the last one. */
export interface LoadJob {
  readonly port: number;
  readonly operation: Operation;
  readonly dialect: Dialect;
  /** Items in each bulk update. */
  readonly items: number;
  readonly connections: number;
  /** No request begins after this time. */
  readonly milliseconds: number;
  /** The pause of a connection between two requests, in milliseconds. */
  readonly pauseMs: number;
  readonly requestsPerConnection: number;
}

/** A period of load by requests that a section has built itself. */
export interface ExchangeJob {
  readonly port: number;
  readonly milliseconds: number;
  /** The requests that each connection sends in turn. */
  readonly connections: readonly (readonly string[])[];
  readonly marks: Marks;
}

/** Texts that the first response on each connection contains, with their number. */
export type Marks = Readonly<Record<string, number>>;

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The first response that was not the expected one, shortened. Null when there was none. */
  readonly failure: string | null;
}

/** Requests that are sent at their times, whatever is still unanswered. */
export interface ArrivalsJob {
  readonly port: number;
  /** Connections that are open before the first request. More are opened when all of them wait for answers. */
  readonly connections: number;
  /** In the order of their times. */
  readonly arrivals: readonly Arrival[];
}

export interface Arrival {
  /** Milliseconds after the first request. */
  readonly atMs: number;
  readonly request: string;
  /** A text that a correct answer contains. */
  readonly mark: string;
}

/** When a request was sent and answered, in milliseconds of `sharedNow`. */
export interface TimedAnswer {
  /** The place of the request in the plan. */
  readonly index: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** False for another status than 200, and for an answer without its mark. */
  readonly isRight: boolean;
}

export interface ArrivalsResult {
  /** Requests without an answer are left out. */
  readonly answers: readonly TimedAnswer[];
  /** The first answer that was not right, shortened. Null when there was none. */
  readonly failure: string | null;
  /** Milliseconds by which each request was sent too late. */
  readonly delays: readonly number[];
}

/** A call that the upstream has answered, with times in milliseconds of `sharedNow`. */
export interface ServiceCall {
  readonly token: string;
  /** The articles or the group that it reads or writes. */
  readonly subjects: readonly string[];
  readonly isBulkUpdate: boolean;
  readonly receivedAt: number;
  readonly answeredAt: number;
}

/** The methods that processes of the benchmark offer over IPC. */
export interface RpcMethods {
  readonly usage: { readonly argument: null; readonly result: Usage };
  readonly startLag: { readonly argument: null; readonly result: null };
  readonly stopLag: { readonly argument: null; readonly result: Lag };
  readonly startProfile: { readonly argument: null; readonly result: null };
  /** The argument is the path to which the V8 CPU profile is written. */
  readonly stopProfile: { readonly argument: string; readonly result: null };
  /** The number of calls that the upstream has received since its start. */
  readonly calls: { readonly argument: null; readonly result: number };
  readonly load: { readonly argument: LoadJob; readonly result: LoadResult };
  readonly exchange: { readonly argument: ExchangeJob; readonly result: LoadResult };
  readonly arrivals: { readonly argument: ArrivalsJob; readonly result: ArrivalsResult };
  /** Returns the calls since the last time, and records those that follow. */
  readonly recordedCalls: { readonly argument: null; readonly result: readonly ServiceCall[] };
}

type MethodName = keyof RpcMethods;

interface RpcRequest<N extends MethodName> {
  readonly name: N;
  readonly argument: RpcMethods[N]['argument'];
}

interface RpcResponse<N extends MethodName> {
  readonly name: N;
  readonly result: RpcMethods[N]['result'];
}

// Both ends are files of this package, so the name of a message determines its shape.
const isRpcResponse = <N extends MethodName>(message: unknown, name: N): message is RpcResponse<N> =>
  hasName(message, name);
const isRpcRequest = <N extends MethodName>(message: unknown, name: N): message is RpcRequest<N> =>
  hasName(message, name);
const hasName = (message: unknown, name: MethodName) =>
  typeof message === 'object' && message !== null && 'name' in message && message.name === name;

/** Calls a method of a child process. One call per method at a time. Rejects if the child exits first. */
export function callMethod<N extends MethodName>(
  child: ChildProcess,
  name: N,
  argument: RpcMethods[N]['argument'],
): Promise<RpcMethods[N]['result']> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (message: unknown) => {
      if (!isRpcResponse(message, name)) return;
      settle();
      resolve(message.result);
    };
    const onExit = () => {
      settle();
      reject(new Error(`A process exited during "${name}".`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send({ name, argument } satisfies RpcRequest<N>);
  });
}

/** Handles the parent's calls of one method, and ends this process when the parent is gone. */
export function handleMethod<N extends MethodName>(
  name: N,
  handler: (argument: RpcMethods[N]['argument']) => RpcMethods[N]['result'] | Promise<RpcMethods[N]['result']>,
): void {
  process.on('message', async (message: unknown) => {
    if (!isRpcRequest(message, name)) return;
    process.send?.({ name, result: await handler(message.argument) } satisfies RpcResponse<N>);
  });
  if (process.listenerCount('disconnect') === 0) process.once('disconnect', () => process.exit());
}
