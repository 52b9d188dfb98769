import type { RoutedRequest } from '../route.ts';
import { LoopTurns } from './loop-turns.ts';
import { RequestPipelines } from './pipelines.ts';

/**
 * Decides when requests begin: those of one connection after each other, and each in a turn of the event loop. Only one
 * of a connection waits for its turn, so that many on one connection neither delay others nor use up the memory.
 */
export class RequestOrder {
  readonly #turns = new LoopTurns();
  readonly #pipelines = new RequestPipelines();

  /** Null where the request may begin at once. Resolves to false where its client has gone meanwhile. */
  waitForTurn({ request, response, record }: RoutedRequest): Promise<boolean> | null {
    const waitForTurn = () => this.#turns.waitForTurn()?.then(() => !record.isEnded) ?? null;
    const previous = this.#pipelines.waitForPrevious(request, response);
    return previous === null ? waitForTurn() : previous.then((continues) => continues && (waitForTurn() ?? true));
  }
}
