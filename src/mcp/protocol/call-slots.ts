import { failedCall, type ToolResult } from '../results/tool-results.ts';

/** The most calls of one client at a time. */
const MAX_CALLS = 16;

const TOO_MANY = `The gateway makes ${MAX_CALLS} calls of one client at a time. Nothing was done: call again when one has ended.`;

/** Bounds the calls that are in flight, and tells when there are none. */
export class CallSlots {
  readonly #inFlight = new Set<Promise<ToolResult>>();

  async run(call: () => Promise<ToolResult>): Promise<ToolResult> {
    if (this.#inFlight.size >= MAX_CALLS) return failedCall(TOO_MANY, { code: 'LIMIT_EXCEEDED', retryable: true });
    const running = call();
    this.#inFlight.add(running);
    try {
      return await running;
    } finally {
      this.#inFlight.delete(running);
    }
  }

  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }
}
