import { hash } from 'node:crypto';
import { RateWindows } from '../../base/rate-windows.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { mostOf, NotBegun, Semaphore } from '../../base/semaphore.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import { OVERLOADED, tooManyRequests } from '../responses/errors.ts';

/** Requests of strangers that are under way, and those that wait: a quarter of these, as of everything. */
const PLACES = { slots: mostOf(256), waiting: mostOf(1_000) };

/**
 * Different tokens from one network that the service has refused in a minute. Each has cost it a call, so no more are tried
 * before the minute ends: they are made up. A client that goes on with a token that has expired has one.
 */
const REFUSED_TOKENS = 100;

interface StrangerPlacesOptions {
  /** Tells each verdict of the service on the caller's token, until the result is called. */
  readonly watch: (caller: Caller, onVerdict: (isAccepted: boolean) => void) => () => void;
}

/**
 * Lets few requests of strangers in at one time, and fewer from one network. So they hold but a small part of all that is
 * shared behind the door. A request whose token the service accepts meanwhile waits no longer, and gives its place back.
 */
export class StrangerPlaces {
  readonly #options: StrangerPlacesOptions;
  readonly #places = new Semaphore(PLACES);
  /** By network. */
  readonly #refusedTokens = new RateWindows(REFUSED_TOKENS);
  /** By token, each once. */
  readonly #countedTokens = new RateWindows(1);

  constructor(options: StrangerPlacesOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#places.waiting;
  }

  /** Resolves once the request is let in. The result must be called when it has ended. */
  async enter(caller: Caller): Promise<Result<() => void, BackendError>> {
    const { request, deadline, isGone } = caller;
    const { key } = request.share;
    const allowance = this.#refusedTokens.allowanceOf(key);
    if (allowance?.remaining === 0) return err(tooManyRequests(allowance.resetSeconds));
    const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let needsPlace = true;
    const leave = () => {
      needsPlace = false;
      left.resolve();
    };
    const stopWatching = this.#options.watch(caller, (isAccepted) => {
      if (!isAccepted) return this.#countRefusal(key, caller);
      entered.resolve();
      leave();
    });
    const stay = () => {
      entered.resolve();
      return left.promise;
    };
    const applicant = { key, request, deadline, isGone: () => !needsPlace || isGone?.() === true };
    const refusal = await Promise.race([entered.promise, this.#places.run(applicant, stay)]);
    if (refusal instanceof NotBegun) {
      stopWatching();
      return err(OVERLOADED);
    }
    return ok(() => {
      stopWatching();
      leave();
    });
  }

  #countRefusal(network: string, { apiToken }: Caller): void {
    const isNew = this.#countedTokens.tryCount(hash('sha256', `${apiToken}`, 'base64')).isCounted;
    if (isNew) this.#refusedTokens.tryCount(network);
  }
}
