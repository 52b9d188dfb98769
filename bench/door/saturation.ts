import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { inScene, require, type Scene } from './scene.ts';

const LATENCY_MS = 5;
/** Connections that always have a request under way while the most is measured. */
const CLOSED_LOOP = 300;
const WARM_UP_MS = 5_000;
const SAMPLE_MS = 10_000;
const STEP_MS = 10;
const LOADS = [1, 2, 4];
/** The share of the most that is answered rightly under any load. */
const MIN_SHARE = 0.9;
/** More clients than the gateway takes requests at one time. */
const MAX_CONNECTIONS = 6_000;

interface Counts {
  right: number;
  refused: number;
  other: number;
}

/** Clients that send the same request, each on a connection of its own, and count the answers. */
class Clients {
  readonly #port: number;
  readonly #idle: Socket[] = [];
  readonly #all: Socket[] = [];
  counts: Counts = { right: 0, refused: 0, other: 0 };
  onIdle: () => void = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends one more request. False where all connections wait for answers. */
  async send(): Promise<boolean> {
    const socket = this.#idle.pop() ?? (this.#all.length < MAX_CONNECTIONS ? await this.#connect() : null);
    socket?.write(requestOf(this.#all.indexOf(socket) % CLOSED_LOOP));
    return socket !== null;
  }

  close(): void {
    for (const socket of this.#all) socket.destroy();
  }

  async #connect(): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1');
    this.#all.push(socket);
    await once(socket, 'connect');
    // An answer is small, so that it comes in one piece.
    socket.on('data', (data) => {
      const status = data.toString('latin1', 9, 12);
      this.counts[status === '200' ? 'right' : status === '503' ? 'refused' : 'other'] += 1;
      this.#idle.push(socket);
      this.onIdle();
    });
    socket
      .on('error', () => {})
      .on('close', () => {
        this.counts.other += 1;
      });
    return socket;
  }
}

function requestOf(article: number): string {
  const query = `{ article(articleId: "article-${article}", languageCode: "en") { articleId title } }`;
  const body = JSON.stringify({ query });
  const head = ['POST /graphql HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json', 'x-api-token: good'];
  return `${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

interface Sample extends Counts {
  readonly seconds: number;
  readonly cpuMs: number;
}

/** Counts the answers of a time. */
async function sample({ cpuMs }: Scene, clients: Clients, milliseconds: number): Promise<Sample> {
  const [cpuBefore, since] = [cpuMs(), performance.now()];
  clients.counts = { right: 0, refused: 0, other: 0 };
  await delay(milliseconds);
  return { ...clients.counts, seconds: (performance.now() - since) / 1_000, cpuMs: cpuMs() - cpuBefore };
}

/** Clients that send their next request once they have an answer. */
async function measureMost(scene: Scene): Promise<Sample> {
  const clients = new Clients(scene.port);
  clients.onIdle = () => void clients.send();
  for (let sent = 0; sent < CLOSED_LOOP; sent += 1) await clients.send();
  await delay(WARM_UP_MS);
  const most = await sample(scene, clients, SAMPLE_MS);
  clients.close();
  return most;
}

/** Requests that come at a rate, whatever the gateway answers. */
async function measureOffered(scene: Scene, perSecond: number): Promise<Sample & { readonly unsent: number }> {
  const clients = new Clients(scene.port);
  const startedAt = performance.now();
  let [due, unsent] = [0, 0];
  const timer = setInterval(() => {
    const until = ((performance.now() - startedAt) / 1_000) * perSecond;
    for (; due < until; due += 1)
      void clients.send().then((isSent) => {
        if (!isSent) unsent += 1;
      });
  }, STEP_MS);
  await delay(WARM_UP_MS);
  unsent = 0;
  const offered = await sample(scene, clients, SAMPLE_MS);
  clearInterval(timer);
  clients.close();
  return { ...offered, unsent };
}

/** Right answers a second while more requests come than the gateway can answer, and what a refusal costs. */
export async function measureSaturation(): Promise<void> {
  await inScene(LATENCY_MS, async (scene) => {
    const most = await measureMost(scene);
    const mostPerSecond = most.right / most.seconds;
    const served = most.cpuMs / most.right;
    console.log(
      `the most: ${mostPerSecond.toFixed(0)} right answers a second, ${(1_000 * served).toFixed(0)} µs of CPU each`,
    );
    for (const load of LOADS) {
      const { right, refused, other, seconds, cpuMs, unsent } = await measureOffered(scene, load * mostPerSecond);
      const share = right / seconds / mostPerSecond;
      const refusal = refused > 0 ? Math.max(0, cpuMs - right * served) / refused / served : 0;
      console.log(
        `${load} × the most: ${(100 * share).toFixed(0)} % of it answered, ${refused} refused at ` +
          `${refusal.toFixed(2)} of the CPU time of an answer, ${other} other ends, ${unsent} not sent` +
          require(share >= MIN_SHARE),
      );
      // What waits is answered before the next load.
      await delay(WARM_UP_MS);
    }
  });
}
