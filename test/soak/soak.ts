import { createHash, randomBytes } from 'node:crypto';
import { silentLog } from '../../src/core/base/log.ts';
import { TickQueue } from '../../src/core/base/tick-queue.ts';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import { noMetrics } from '../../src/core/metrics.ts';
import { openCallPipeline } from '../../src/service/calls/call-pipeline.ts';
import { openEcho } from './echo.ts';

export interface SoakReport {
  /** Calls whose request arrived whole and whose response arrived whole. */
  readonly whole: number;
  /** The first faults of the others. */
  readonly faults: readonly string[];
  /** The connections that were used. */
  readonly connections: number;
}

export interface SoakOptions {
  readonly calls: number;
  readonly concurrency: number;
}

/** Lengths of texts in characters: empty, a title, around the chunk sizes of sockets, a long article. */
const SIZES = [0, 1, 80, 1_000, 8_190, 16_384, 65_530, 65_540, 300_000];

/** Sends calls over a few connections, with bodies of every size, and compares each at both ends. */
export async function soak({ calls, concurrency }: SoakOptions): Promise<SoakReport> {
  const echo = await openEcho();
  const pipeline = openCallPipeline({
    baseUrl: echo.url,
    proxyUrl: null,
    userAgent: 'kb-gateway/soak',
    timeoutMs: 60_000,
    maxSockets: 2 * concurrency,
    // Until the service has accepted it, a token has a sixteenth of the places.
    maxWaiting: 16 * concurrency,
    ticks: new TickQueue(),
    tracer: null,
    log: silentLog,
    metrics: noMetrics,
    shared: null,
    marks: null,
  });
  const faults: string[] = [];
  let whole = 0;
  let begun = 0;
  const work = async () => {
    while (begun < calls) {
      const body = bodyOf(begun++);
      const caller = {
        apiToken: 'soak',
        sentToken: null,
        address: '',
        request: createRequestFacts(),
        deadline: performance.now() + 60_000,
        requestTimeoutMs: 60_000,
      };
      const sent = await pipeline.send(caller, {
        kind: 'write',
        staleReads: 'articles',
        path: ['Articles', 'bulkupdate'],
        body,
      });
      const fault = sent.ok ? mismatchOf(sent.value.body, body) : JSON.stringify(sent.error);
      if (fault === null) whole += 1;
      else faults.push(fault);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
    return { whole, faults: faults.slice(0, 10), connections: await echo.connections() };
  } finally {
    pipeline.close();
    await echo.close();
  }
}

/** Texts with one, two and three bytes a character, so that a length in characters differs from one in bytes. */
function bodyOf(index: number) {
  const size = SIZES[index % SIZES.length] ?? 0;
  const text = `${randomBytes(8).toString('hex')}${['a', 'é', '语'][index % 3]?.repeat(size)}`;
  return { index, text };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function mismatchOf(answer: unknown, sent: object): string | null {
  const text = JSON.stringify(sent);
  const expected = { bytes: Buffer.byteLength(text), sha256: sha256(text), padding: 'x'.repeat(text.length % 1_000) };
  return JSON.stringify(answer) === JSON.stringify(expected) ? null : `${JSON.stringify(answer)?.slice(0, 200)}`;
}
