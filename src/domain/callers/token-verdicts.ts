import type { Caller } from './caller.ts';

/**
 * What the service has said of the tokens that it was called with. It is asked at the door alone, where callers get their
 * shares: layers.ts names who may import this.
 */
export interface TokenVerdicts {
  /** True when the service has accepted the caller's token within the last hour. Makes no call. */
  isAccepted(caller: Caller): boolean;
  /** Calls the listener with each verdict on the caller's token, until the result is called once. */
  watch(caller: Caller, onVerdict: (isAccepted: boolean) => void): () => void;
}
