import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  MAX_PIPELINED_REQUESTS,
  MAX_REFUSED_TOKENS,
  MAX_STANDING_REQUESTS,
  MAX_STRANGER_REQUESTS,
  MAX_UNDER_WAY,
  MAX_WAITING_REQUESTS,
  MAX_WAITING_STRANGERS,
} from '../../base/limits.ts';
import { RateWindows } from '../../base/rate-windows.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type Applicant, mostOf, NotBegun, Quota, type Release, Semaphore, type Share } from '../../base/semaphore.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { RequestRecord, VerdictListener } from '../../domain/callers/request-record.ts';
import type { BackendError } from '../../domain/errors.ts';
import { OVERLOADED, tooManyRequests } from '../responses/errors.ts';
import { ROUTE_TRAITS, type RoutedRequest } from '../route.ts';

interface Connection {
  /** Until its first request has had its turn. */
  isNew: boolean;
  /** The response to the newest request; null once that has ended, since it would hold the whole request. */
  last: ServerResponse | null;
  pending: number;
}

/**
 * Decides when requests begin: those of one connection after each other, and each in a turn of the event loop. Only one
 * of a connection waits for its turn, so that many on one connection neither delay others nor use up the memory.
 */
export class RequestOrder {
  readonly turns = new LoopTurns();
  readonly #connections = new WeakMap<Socket, Connection>();

  /**
   * Null when no request is pending before this one. Resolves to false when the connection is closed. node:http emits all
   * pipelined requests of one read at once: 30,000 small ones, which are 900 kB, would hold the event loop for 1.5 s.
   */
  waitForPrevious({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> | null {
    const connection = this.#connections.get(socket);
    if (connection === undefined) {
      this.#connections.set(socket, { isNew: true, last: response, pending: 0 });
      return null;
    }
    const previous = connection.last;
    connection.last = response;
    return previous === null || previous.closed ? null : this.#wait(connection, previous, socket);
  }

  takeTurn({ request: { socket }, route, record }: RoutedRequest): Turn {
    const turn = this.turns.take(record.share, ROUTE_TRAITS[route].isAlwaysServed);
    const connection = this.#connections.get(socket);
    if (connection?.isNew) {
      connection.isNew = false;
      this.turns.onNewConnection();
    }
    return turn;
  }

  /** Must be called once the response has ended or its connection is closed. */
  end({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(socket);
    if (connection?.last === response) connection.last = null;
  }

  async #wait(connection: Connection, previous: ServerResponse, socket: Socket): Promise<boolean> {
    if (connection.pending >= MAX_PIPELINED_REQUESTS) socket.destroy();
    if (socket.destroyed) return false;
    connection.pending += 1;
    // Every response of a closed connection emits `close`, also one that is pending.
    await new Promise((resolve) => previous.once('close', resolve));
    await nextTick();
    connection.pending -= 1;
    return !socket.destroyed;
  }
}

/** `full`: too many requests wait already. The promise is that of one that waits. */
type Turn = 'begin' | 'full' | Promise<void>;

/** Requests begin for so long in one turn of the event loop. Those after them begin in the next turns. */
const TURN_MS = 2;

/** The most that are tried in one turn: each costs time, also where it can't begin, and holds back what comes. */
const MAX_TRIED = 8;

const BURST = mostOf(MAX_WAITING_REQUESTS);

/** A queue that has not been empty for so long is not from a burst: more requests come than can begin. */
const BURST_MS = 1_000;

const STANDING = mostOf(MAX_STANDING_REQUESTS);

/** While connections come, the turns that only accept and read take so many times as long as the one before them. */
const YIELD_RATIO = 2;

interface WaitingRequest {
  readonly share: Share;
  readonly begin: () => void;
}

/**
 * Keeps the turns of the event loop short. libuv accepts one new connection in each turn: where a turn answers all
 * connections that are open, new ones wait for as many turns, and so do timers and health checks.
 *
 * @internal Exported for tests.
 */
export class LoopTurns {
  /** `performance.now()` when the first request of this turn began; null before it. */
  #begunAt: number | null = null;
  /** `performance.now()` until which connections go before requests; null while requests begin. */
  #yieldsUntil: number | null = null;
  #hasNewConnection = false;
  readonly #waiting: WaitingRequest[] = [];
  readonly #places = new Quota(BURST);
  #underWay = 0;
  /** `performance.now()` when the queue was empty for the last time. */
  #emptyUntil = 0;
  #tried = 0;

  /**
   * Tells that the connection of a request is new, so that others may be pending. While they come, two thirds of the
   * time are theirs: clients whose connection is not accepted learn nothing, and are not even refused.
   */
  onNewConnection(): void {
    if (this.#hasNewConnection) return;
    this.#hasNewConnection = true;
    setImmediate(() => {
      this.#hasNewConnection = false;
    });
  }

  /** A request that may not begin at once waits for its turn, in the order in which requests came. */
  take(share: Share, isAlwaysServed = false): Turn {
    const isEmpty = this.#waiting.length === 0;
    if (isAlwaysServed || (isEmpty && this.#mayBegin())) {
      this.#underWay += 1;
      return 'begin';
    }
    if (isEmpty) this.#emptyUntil = performance.now();
    const limits = performance.now() - this.#emptyUntil > BURST_MS ? STANDING : BURST;
    if (!this.#places.tryAcquire(share, 1, limits)) return 'full';
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ share, begin: resolve });
    this.#tryNext();
    return promise;
  }

  /** Must be called once a request that has begun is handled. */
  end(): void {
    this.#underWay -= 1;
  }

  #tryNext(): void {
    if (this.#tried >= Math.min(MAX_TRIED, this.#waiting.length)) return;
    this.#tried += 1;
    setImmediate(this.#tryBegin);
  }

  /** Node runs all that a request does without waiting for anything before the next immediate. */
  readonly #tryBegin = (): void => {
    this.#tried -= 1;
    const next = this.#mayBegin() ? this.#waiting.shift() : undefined;
    if (next !== undefined) {
      this.#underWay += 1;
      this.#places.release(next.share);
      next.begin();
    }
    this.#tryNext();
  };

  #mayBegin(): boolean {
    const now = performance.now();
    if (this.#begunAt !== null)
      return this.#yieldsUntil === null && this.#underWay < MAX_UNDER_WAY && now - this.#begunAt < TURN_MS;
    this.#begunAt = now;
    setImmediate(this.#endTurn, now);
    return true;
  }

  /** While connections come, the turns after this one are theirs, for twice as long as it took. */
  readonly #endTurn = (begunAt: number): void => {
    const now = performance.now();
    this.#yieldsUntil ??= now + YIELD_RATIO * (now - begunAt);
    if (this.#hasNewConnection && now < this.#yieldsUntil) {
      setImmediate(this.#endTurn, begunAt);
      return;
    }
    this.#begunAt = null;
    this.#yieldsUntil = null;
  };
}

/** A quarter of these, as of everything, is for strangers. */
const PLACES = { slots: mostOf(MAX_STRANGER_REQUESTS), waiting: mostOf(MAX_WAITING_STRANGERS) };

export interface TokenWatch {
  /** Tells each verdict of the service on the caller's token, until the result is called once. */
  watch(caller: Caller, onVerdict: (isAccepted: boolean) => void): () => void;
  /** Gives the request of a caller whose token was accepted the share of a known one. */
  makeKnown(caller: Caller): void;
}

/**
 * Lets few requests of strangers in at one time, and fewer from one network. So they hold but a small part of all that is
 * shared behind the door. A request whose token the service accepts meanwhile waits no longer, and gives its place back.
 */
export class StrangerPlaces {
  readonly #tokens: TokenWatch;
  readonly #places = new Semaphore(PLACES);
  /** By network. */
  readonly #refusedTokens = new RateWindows(MAX_REFUSED_TOKENS);
  /** By token, each once. */
  readonly #countedTokens = new RateWindows(1);

  constructor(tokens: TokenWatch) {
    this.#tokens = tokens;
  }

  get waiting(): number {
    return this.#places.waiting;
  }

  /** Lets the request in, or tells why not; a promise where it has to wait. */
  enter(caller: Caller): EnterResult | Promise<EnterResult> {
    const place = new StrangerPlace(caller, this);
    const allowance = this.#refusedTokens.allowanceOf(place.key);
    if (allowance?.remaining === 0) return err(tooManyRequests(allowance.resetSeconds));
    const release = this.#places.acquire(place);
    if (release instanceof Promise) return this.#wait(place, release);
    return release instanceof NotBegun ? err(OVERLOADED) : ok(place.hold(release));
  }

  /** Gives the caller the share of a known one, or counts one more refused token of the network. */
  noteVerdict(isAccepted: boolean, { caller, key }: StrangerPlace): void {
    if (isAccepted) this.#tokens.makeKnown(caller);
    else if (this.#isCountedFirst(caller)) this.#refusedTokens.tryCount(key);
  }

  #isCountedFirst({ apiToken }: Caller): boolean {
    return this.#countedTokens.tryCount(hash('sha256', `${apiToken}`, 'base64')).isCounted;
  }

  /** Waits until a place is free, or the token is accepted. */
  async #wait(place: StrangerPlace, granted: Promise<Release | NotBegun>): Promise<EnterResult> {
    const { promise: accepted, resolve: onAccepted } = Promise.withResolvers<Release>();
    const stopWatching = this.#tokens.watch(place.caller, (isAccepted) => {
      place.tellVerdict(isAccepted);
      // A place that is granted later is not needed.
      if (isAccepted) onAccepted(() => granted.then((late) => late instanceof NotBegun || late()));
    });
    const release = await Promise.race([accepted, granted]);
    stopWatching();
    return release instanceof NotBegun ? err(OVERLOADED) : ok(place.hold(release));
  }
}

type EnterResult = Result<StrangerPlace, BackendError>;

/** The place of one request among those of strangers: first it is asked for, then held. */
export class StrangerPlace implements Applicant, VerdictListener {
  readonly caller: Caller;
  readonly request: RequestRecord;
  /** The network of the caller. */
  readonly key: string;
  readonly deadline: number;
  readonly #places: StrangerPlaces;
  #release: Release | null = null;
  /** False once the token is accepted. */
  #isNeeded = true;

  constructor(caller: Caller, places: StrangerPlaces) {
    this.caller = caller;
    this.request = caller.request;
    this.key = caller.request.share.key;
    this.deadline = caller.deadline;
    this.#places = places;
  }

  isGone(): boolean {
    return !this.#isNeeded || this.caller.isGone?.() === true;
  }

  hold(release: Release): this {
    this.#release = release;
    this.request.verdictListener = this;
    return this;
  }

  tellVerdict(isAccepted: boolean): void {
    this.#places.noteVerdict(isAccepted, this);
    if (!isAccepted) return;
    this.#isNeeded = false;
    this.leave();
  }

  /** Gives the place back. Must be called when the request has ended; more calls have no effect. */
  leave(): void {
    this.#release?.();
    this.#release = null;
    this.request.verdictListener = null;
  }
}
