import { connect } from 'node:net';
import { type Target, TOKEN } from './target.ts';

export interface MemoryReport {
  /** Documents sent and answered with data, and resident memory in MB: after the first tenth, and the most after that. */
  readonly documents: number;
  readonly afterFirstTenthMb: number;
  readonly mostLaterMb: number;
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
  let afterFirstTenthMb = 0;
  let mostLaterMb = 0;
  const watch = setInterval(async () => {
    const memory = (await target.memoryMb()) ?? 0;
    if (documents < count / 10) afterFirstTenthMb = memory;
    else mostLaterMb = Math.max(mostLaterMb, memory);
  }, 500);
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
  return { documents, afterFirstTenthMb, mostLaterMb, seconds: Math.round((performance.now() - begun) / 1_000) };
}
