import { connect } from 'node:net';
import { createMutant, createRandom } from './mutants.ts';

export interface MutantReport {
  /** The number of responses by status; 0 means that the connection ended without one. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The requests that caused an internal error, with the response. */
  readonly faults: readonly string[];
}

const CONCURRENCY = 16;

/** A mutant may announce more than it sends: its connection is then closed by the client. */
const TIMEOUT_MS = 300;

const SEED = 20_260_101;

/** Sends the given number of mutants, each on a connection of its own. */
export async function sendMutants(url: string, count: number): Promise<MutantReport> {
  const random = createRandom(SEED);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let left = count;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const mutant = createMutant(random);
      const answer = await exchange(url, mutant);
      const status = Number(/^HTTP\/1\.1 (\d{3})/u.exec(answer)?.[1] ?? 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (/HTTP\/1\.1 5|"code":"INTERNAL"|node_modules|node:internal|\.ts:\d/u.test(answer)) {
        faults.push(`${JSON.stringify(mutant.toString('latin1'))} -> ${answer.slice(0, 300)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
  return { statuses, faults };
}

function exchange(url: string, request: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.write(request);
  });
}
