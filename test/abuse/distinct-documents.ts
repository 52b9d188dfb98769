import { connect } from 'node:net';
import { type Target, TOKEN } from './target.ts';

export interface MemoryReport {
  /** Documents that were sent, and answered with data. */
  readonly documents: number;
  /**
   * The lowest resident memory in MB while the second tenth and the last tenth were sent: what the garbage collector
   * has not yet freed varies by more than 100 MB.
   */
  readonly minInSecondTenthMb: number;
  readonly minInLastTenthMb: number;
  readonly maxMb: number;
  readonly seconds: number;
}

const CONNECTIONS = 8;
/** Pipelined requests of one connection without a response yet. */
const PIPELINED = 16;

/** All documents are valid, and no two are the same. */
function requestOf(index: number): string {
  const body = `{"query":"{ a${index}: __typename }"}`;
  return `POST /graphql HTTP/1.1\r\nHost: a\r\napi_token: ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Sends the given number of different documents, and measures the memory of the gateway meanwhile. */
export async function sendDistinctDocuments(target: Target, count: number): Promise<MemoryReport> {
  const begun = performance.now();
  let next = 0;
  let documents = 0;
  const minMb = Array<number>(10).fill(Number.MAX_SAFE_INTEGER);
  let maxMb = 0;
  const watch = setInterval(async () => {
    const memory = await target.memoryMb();
    const tenth = Math.floor((10 * documents) / count);
    minMb[tenth] = Math.min(minMb[tenth] ?? memory, memory);
    maxMb = Math.max(maxMb, memory);
  }, 250);
  const send = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let open = 0;
      const socket = connect(target.port, target.host).setNoDelay().setEncoding('latin1');
      const fill = (): void => {
        let batch = '';
        for (; open < PIPELINED && next < count; open++) batch += requestOf(next++);
        if (batch) socket.write(batch);
        else if (open === 0) socket.end();
      };
      socket.on('data', (text: string) => {
        const answered = text.split('"data":{"a').length - 1;
        documents += answered;
        open -= answered;
        if (open <= PIPELINED / 2) fill();
      });
      socket.once('connect', fill).once('close', resolve).once('error', reject);
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  clearInterval(watch);
  const [, minInSecondTenthMb = 0] = minMb;
  const minInLastTenthMb = minMb[9] ?? 0;
  const seconds = Math.round((performance.now() - begun) / 1_000);
  return { documents, minInSecondTenthMb, minInLastTenthMb, maxMb, seconds };
}
