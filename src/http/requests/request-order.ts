import type { RoutedRequest } from '../route.ts';
import { LoopTurns } from './loop-turns.ts';
import { RequestPipelines } from './pipelines.ts';

/** Decides when requests begin: in turns of the event loop, and those of one connection after each other. */
export class RequestOrder {
  readonly #turns = new LoopTurns();
  readonly #pipelines = new RequestPipelines();

  /** Null where the request may begin at once. Resolves to false where its client has gone meanwhile. */
  waitForTurn({ request, response, record }: RoutedRequest): Promise<boolean> | null {
    const waitForPrevious = () => this.#pipelines.waitForPrevious(request, response);
    const turn = this.#turns.waitForTurn();
    // The end of that client is told only once.
    return turn === null ? waitForPrevious() : turn.then(() => !record.isEnded && (waitForPrevious() ?? true));
  }
}
