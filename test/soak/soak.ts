import { createHash, randomBytes } from 'node:crypto';
import { createBudgets } from '../../src/backend/rest/budgets.ts';
import { openClient } from '../../src/backend/rest/http/client.ts';
import { silent } from '../../src/domain/log.ts';
import { openEcho } from './echo.ts';

export interface SoakReport {
  /** Calls whose body arrived whole and whose answer came back whole. */
  readonly whole: number;
  /** What became of the others, the first few of them. */
  readonly faults: readonly string[];
  /** Connections over which all of them went. */
  readonly connections: number;
}

export interface SoakOptions {
  readonly calls: number;
  readonly atOnce: number;
}

/** Characters of one text: of nothing, of a title, around the pieces in which sockets write, of a long article. */
const SIZES = [0, 1, 80, 1_000, 8_190, 16_384, 65_530, 65_540, 300_000];

/** Calls over and over the same few connections, with bodies of every size, each compared at both ends. */
export async function soak({ calls, atOnce }: SoakOptions): Promise<SoakReport> {
  const echo = await openEcho();
  const client = openClient({
    baseUrl: echo.url,
    timeoutMs: 60_000,
    maxSockets: atOnce,
    maxWaiting: atOnce,
    log: silent,
  });
  const token = createBudgets().hold('soak');
  const faults: string[] = [];
  let whole = 0;
  let begun = 0;
  const work = async () => {
    while (begun < calls) {
      const body = bodyOf(begun++);
      const options = { apiToken: 'soak', token, isKnown: false, deadline: performance.now() + 60_000 };
      const sent = await client.send({ method: 'PUT', path: ['Articles', 'bulkupdate'], body }, options);
      const fault = sent.ok ? mismatchOf(sent.value.body, body) : JSON.stringify(sent.error);
      if (fault === null) whole += 1;
      else faults.push(fault);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
    return { whole, faults: faults.slice(0, 10), connections: await echo.connections() };
  } finally {
    client.close();
    await echo.close();
  }
}

/** Texts of one, two and three bytes a character: a length in characters is none in bytes. */
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
