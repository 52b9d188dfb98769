import { type Caller, usesLentToken } from '../../../domain/callers/caller.ts';
import { ReadCacheUse } from '../../../domain/callers/request-record.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { type TokenState, tokenKeyOf } from '../calls/token-states.ts';

/** A caller whose reads the cache may serve. Its token is hashed once, and not for each of its reads. */
export class CacheReader {
  readonly caller: Caller;
  readonly #upstream: Upstream;
  readonly #serviceUrl: string;
  #tokenKey: string | null | undefined;
  #tokenState: TokenState | undefined;

  constructor(caller: Caller, upstream: Upstream, serviceUrl: string) {
    this.caller = caller;
    this.#upstream = upstream;
    this.#serviceUrl = serviceUrl;
  }

  /** Null when the caller has no token that a header can carry. */
  get tokenKey(): string | null {
    if (this.#tokenKey === undefined) {
      const apiToken = this.#upstream.tokenOf(this.caller);
      this.#tokenKey = apiToken === null ? null : tokenKeyOf(this.#serviceUrl, apiToken);
    }
    return this.#tokenKey;
  }

  /** True where the service has accepted the token of the caller, or the gateway lends it. */
  get isTrusted(): boolean {
    if (usesLentToken(this.caller) || this.#tokenState?.isAccepted === true) return true;
    this.#tokenState = this.#upstream.tokenStateOf(this.caller);
    return this.#tokenState?.isAccepted === true;
  }

  /** The counts of the reads of its request. */
  get use(): ReadCacheUse {
    const { request } = this.caller;
    request.readCacheUse ??= new ReadCacheUse();
    return request.readCacheUse;
  }
}
