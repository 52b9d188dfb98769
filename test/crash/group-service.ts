import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../src/core/base/json.ts';
import { openFaultyService, type Received } from '../support/faulty-service.ts';
import { foundGroup, groupWritten } from '../support/kept-group.ts';

/** A PUT whose answer the service holds back. */
export interface HeldPut {
  readonly requestId: string;
  /** Applies the PUT after so many milliseconds; its client has gone. */
  land(afterMs: number): void;
}

/** A service with one reader group, which keeps a ledger of every PUT. */
export interface GroupService {
  readonly url: string;
  /** The request ID of each PUT, in the order of their coming. */
  readonly puts: readonly string[];
  /** The PUTs that changed more of the members than their own reader, and so undid a change of another. */
  readonly undoing: readonly string[];
  readonly surprises: readonly string[];
  members(): ReadonlySet<string>;
  /** The next PUT, which has no effect and no answer until it lands. */
  holdNextPut(): Promise<HeldPut>;
  close(): Promise<void>;
}

/** Milliseconds that the service takes, so that reads and writes of several gateways overlap where nothing keeps them apart. */
const LATENCY_MS = 5;

class Group {
  members: ReadonlySet<string>;
  readonly puts: string[] = [];
  readonly undoing: string[] = [];
  readonly surprises: string[] = [];
  hold: ((put: HeldPut) => void) | null = null;

  constructor(readerIds: readonly string[]) {
    this.members = new Set(readerIds);
  }

  async respond(response: ServerResponse, request: Received): Promise<void> {
    await sleep(LATENCY_MS);
    if (request.method === 'PUT') return this.#write(response, request);
    await foundGroup({ associated_readers: [...this.members] })(response, request);
  }

  async #write(response: ServerResponse, request: Received): Promise<void> {
    const requestId = `${request.headers['x-request-id']}`;
    this.puts.push(requestId);
    const landed = Promise.withResolvers<number>();
    if (this.hold === null) landed.resolve(LATENCY_MS);
    else this.hold({ requestId, land: landed.resolve });
    this.hold = null;
    await sleep(await landed.promise);
    this.#apply(requestId, request.body);
    await groupWritten(response, request);
  }

  #apply(requestId: string, body: unknown): void {
    const readers = isObject(body) ? body['associated_readers'] : null;
    if (!Array.isArray(readers)) return void this.surprises.push(`${requestId}: no list of readers`);
    const members = new Set(readers.map(String));
    if (members.symmetricDifference(this.members).size !== 1) this.undoing.push(requestId);
    this.members = members;
  }
}

export async function openGroupService(readerIds: readonly string[]): Promise<GroupService> {
  const service = await openFaultyService();
  const group = new Group(readerIds);
  service.onAny((response, request) => group.respond(response, request));
  return {
    url: service.url,
    puts: group.puts,
    undoing: group.undoing,
    surprises: group.surprises,
    members: () => group.members,
    holdNextPut: () =>
      new Promise((resolve) => {
        group.hold = resolve;
      }),
    close: service.close,
  };
}
