import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../support/ports.ts';

/** A connection to the state that a test can cut or silence, as a network does. */
export interface StateLink {
  /** The URL of the state through the link. */
  readonly url: string;
  /** Resets all connections, and each new one. */
  cut(): void;
  /** Delivers nothing in either direction, and answers no new connection. What is sent meanwhile is not lost. */
  silence(): void;
  /** Delivers again, also what was sent while the link was silent. */
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export async function openStateLink(stateUrl: string): Promise<StateLink> {
  const { hostname, port } = new URL(stateUrl);
  const pairs = new Set<Pair>();
  let mode: 'open' | 'cut' | 'silent' = 'open';
  const server = createServer((near) => {
    near.on('error', () => {});
    if (mode === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const pair = { near, far: connect(Number(port), hostname) };
    pairs.add(pair);
    join(pair, () => pairs.delete(pair));
    if (mode === 'silent') pauseBoth(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(stateUrl);
  url.host = `127.0.0.1:${portOf(server.address())}`;
  const resetAll = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };
  return {
    url: url.href,
    cut() {
      mode = 'cut';
      resetAll();
    },
    silence() {
      mode = 'silent';
      for (const pair of pairs) pauseBoth(pair);
    },
    heal() {
      mode = 'open';
      for (const { near, far } of pairs) {
        near.resume();
        far.resume();
      }
    },
    close() {
      resetAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Passes on what each side sends. One side ends with the other, but not while it is paused. */
function join({ near, far }: Pair, onEnd: () => void): void {
  far.on('error', () => {});
  near.on('data', (chunk) => far.write(chunk)).on('close', () => far.destroy());
  far.on('data', (chunk) => near.write(chunk)).on('close', () => near.destroy());
  near.on('close', onEnd);
}

function pauseBoth({ near, far }: Pair): void {
  near.pause();
  far.pause();
}
