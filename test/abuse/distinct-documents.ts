import { connect } from 'node:net';
import { type Target, TOKEN } from './target.ts';

export interface MemoryReport {
  /** Sent, and answered with data. */
  readonly documents: number;
  /**
   * Resident memory in MB, at its lowest while the second tenth was sent, and the last: what the collector leaves lying
   * about for a while comes and goes, by more than 100 MB.
   */
  readonly leastInSecondTenthMb: number;
  readonly leastInLastTenthMb: number;
  readonly mostMb: number;
  readonly seconds: number;
}

const CONNECTIONS = 8;
/** Requests on one connection that are not yet answered. */
const PIPELINED = 16;

/** No two are alike, and all are valid. */
function requestOf(index: number): string {
  const body = `{"query":"{ a${index}: __typename }"}`;
  return `POST /graphql HTTP/1.1\r\nHost: a\r\napi_token: ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Sends so many different documents, and watches what becomes of the gateway's memory. */
export async function sendDistinctDocuments(target: Target, count: number): Promise<MemoryReport> {
  const begun = performance.now();
  let next = 0;
  let documents = 0;
  const leastMb = Array<number>(10).fill(Number.MAX_SAFE_INTEGER);
  let mostMb = 0;
  const watch = setInterval(async () => {
    const memory = (await target.memoryMb()) ?? 0;
    const tenth = Math.floor((10 * documents) / count);
    leastMb[tenth] = Math.min(leastMb[tenth] ?? memory, memory);
    mostMb = Math.max(mostMb, memory);
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
  const [, leastInSecondTenthMb = 0] = leastMb;
  const leastInLastTenthMb = leastMb[9] ?? 0;
  const seconds = Math.round((performance.now() - begun) / 1_000);
  return { documents, leastInSecondTenthMb, leastInLastTenthMb, mostMb, seconds };
}
