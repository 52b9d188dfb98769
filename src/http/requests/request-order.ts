import { ROUTE_TRAITS, type RoutedRequest } from '../route.ts';
import { LoopTurns } from './loop-turns.ts';
import { RequestPipelines } from './pipelines.ts';

/** `full`: too many requests wait already. `gone`: the client has closed the connection meanwhile. */
type Admission = 'begin' | 'full' | 'gone';

/**
 * Decides when requests begin: those of one connection after each other, and each in a turn of the event loop. Only one
 * of a connection waits for its turn, so that many on one connection neither delay others nor use up the memory.
 */
export class RequestOrder {
  readonly #turns = new LoopTurns();
  readonly #pipelines = new RequestPipelines();

  admit(routed: RoutedRequest): Admission | Promise<Admission> {
    const { request, response } = routed;
    const isFirst = this.#pipelines.isFirst(request);
    const previous = this.#pipelines.waitForPrevious(request, response);
    if (previous !== null) return previous.then((continues) => (continues ? this.#takeTurn(routed) : 'gone'));
    const admission = this.#takeTurn(routed);
    if (isFirst) this.#turns.onNewConnection();
    return admission;
  }

  /** Must be called once the response has ended or its connection is closed. */
  end({ request, response }: RoutedRequest): void {
    this.#pipelines.end(request, response);
  }

  #takeTurn({ route, record }: RoutedRequest): Admission | Promise<Admission> {
    if (ROUTE_TRAITS[route].isAlwaysServed) return 'begin';
    if (this.#turns.isFull) return 'full';
    const turn = this.#turns.waitForTurn();
    return turn === null ? 'begin' : turn.then(() => (record.isEnded ? 'gone' : 'begin'));
  }
}
