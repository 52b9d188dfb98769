import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createJobClient, type JobClient, pollUntil, whileAway } from '../support/jobs/job-client.ts';
import { ownTokenOf, startJobGateway } from '../support/jobs/job-gateway.ts';
import { openRecordingService, type RecordingService } from '../support/jobs/recording-service.ts';
import { articleIdOf } from '../support/jobs/service-articles.ts';
import { portOf } from '../support/ports.ts';
import type { RunningGateway } from '../support/process.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { CERTIFICATE, identityOf } from '../support/tls-front.ts';
import { inFolder } from './gateways.ts';

/** How the write is made, and what keeps its gateway from telling that it lives. */
export interface LateWrite {
  readonly by: 'job' | 'key';
  readonly gatewayIs: 'stopped' | 'cut off from the state';
}

export interface LateWriteReport {
  /** The outcome that the other gateway told of the write. */
  readonly told: string | undefined;
  /** The outcome of the next edit of that article. */
  readonly nextEdit: readonly string[];
  /** The titles that the service has got, in their order. */
  readonly received: readonly string[];
}

const TOKEN = ownTokenOf(0);

/** The other gateway takes over after ten seconds without a sign of life. The call must last for longer than that. */
const CALL_MS = 25_000;
const LONGEST_MS = 20_000;

const ARTICLE = articleIdOf(1);

/** A service behind TLS, whose handshakes are held up while it is told to. */
async function openHeldFront(service: RecordingService) {
  const sockets = new Set<Socket>();
  const held: Socket[] = [];
  let isHolding = true;
  const pass = (socket: Socket) => {
    const secure = new TLSSocket(socket, { isServer: true, ...identityOf(CERTIFICATE) });
    const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
    for (const one of [secure, upstream]) sockets.add(one.on('error', () => {}));
    secure.pipe(upstream).pipe(secure);
    return new Promise((resolve) => secure.once('close', resolve));
  };
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (isHolding) held.push(socket);
    else void pass(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${portOf(server.address())}`,
    held,
    /** Lets the next connections pass. */
    open: () => {
      isHolding = false;
    },
    /** Lets those pass that were held up. Resolves when they are closed. */
    release: () => Promise.all(held.map(pass)),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/**
 * A gateway begins a write, whose connection is held up, and is then stopped or cut off from the state. The other tells
 * that its outcome is unknown, and a caller edits the article anew. Then the first goes on, and gets its connection.
 */
export const writeLate = (lateWrite: LateWrite, stateUrl: string): Promise<LateWriteReport> =>
  withHeldGateways(stateUrl, (scene) => runLate({ ...scene, lateWrite }));

/** Two gateways with one state, of which the first reaches it by a wire that can be cut. */
const withHeldGateways = <T>(stateUrl: string, run: (scene: HeldScene) => Promise<T>): Promise<T> =>
  inFolder(async (cwd) => {
    const service = await openRecordingService({ articles: 3 });
    const front = await openHeldFront(service);
    const { hostname: host, port } = new URL(stateUrl);
    const wire = await openTcpProxy({ host, port: Number(port) });
    const ownState = new URL(stateUrl);
    ownState.port = `${wire.port}`;
    const start = (url: string) => startJobGateway({ cwd, stateUrl: url, service: front, settings: SETTINGS });
    const gateways = [await start(ownState.href), await start(stateUrl)] as const;
    try {
      return await run({ gateways, service, front, wire });
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
      front.close();
      await Promise.all([service.close(), wire.close()]);
    }
  });

const SETTINGS = {
  NODE_EXTRA_CA_CERTS: CERTIFICATE,
  UPSTREAM_TIMEOUT_MS: `${CALL_MS}`,
  REQUEST_TIMEOUT_MS: `${2 * CALL_MS}`,
};

interface HeldScene {
  readonly gateways: readonly [RunningGateway, RunningGateway];
  readonly service: RecordingService;
  readonly front: Awaited<ReturnType<typeof openHeldFront>>;
  readonly wire: TcpProxy;
}

async function runLate(scene: HeldScene & { readonly lateWrite: LateWrite }): Promise<LateWriteReport> {
  const { lateWrite, gateways, service, front, wire } = scene;
  const [first, other] = gateways;
  const [client, otherClient] = [clientOf(first), clientOf(other)];
  const write = lateWrite.by === 'job' ? jobWrite : keyedWrite;
  const untilTold = write(client, otherClient);
  await until(() => front.held.length > 0);
  await untilTold.begun;
  front.open();
  if (lateWrite.gatewayIs === 'stopped') process.kill(first.pid, 'SIGSTOP');
  else wire.partition(true);
  const told = await untilTold.tell();
  const nextEdit = await otherClient.update([{ articleId: ARTICLE, title: 'newer' }]);
  const closed = front.release();
  if (lateWrite.gatewayIs === 'stopped') process.kill(first.pid, 'SIGCONT');
  // A request that is not sent closes its connection; one that is sent is there before its answer.
  await Promise.race([closed, service.nextPut(LONGEST_MS)]);
  return { told, nextEdit, received: [...service.ledger.keys()] };
}

const clientOf = ({ url }: RunningGateway): JobClient => createJobClient(() => url, TOKEN);

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('What was waited for did not come.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const LATE = { articleId: ARTICLE, title: 'late' };

/** The job is submitted to the first gateway, which alone is awake then. */
function jobWrite(client: JobClient, other: JobClient) {
  const submitted = client.submit({ idempotencyKey: 'late', articles: [LATE], partSize: 1 });
  return {
    begun: submitted,
    tell: async () => {
      const { id } = await submitted;
      const isAs = ({ summary }: { readonly summary: { readonly unknown: number } }) => summary.unknown > 0;
      await pollUntil(other, id, { isAs, untilMs: performance.now() + LONGEST_MS });
      return (await other.results(id))[0]?.__typename;
    },
  };
}

const UPDATE = `
  mutation ($articles: [ArticleUpdateInput!]!) {
    outcome: bulkUpdateArticles(input: { articles: $articles }, idempotencyKey: "late") {
      __typename
      ... on BulkUpdateArticlesPayload { results { __typename } }
    }
  }`;

interface KeyedAnswer {
  readonly outcome: { readonly __typename: string; readonly results?: readonly { readonly __typename: string }[] };
}

/** Cancels a job through another gateway than the one whose call waits for its connection. */
export const cancelElsewhere = (stateUrl: string): Promise<readonly string[]> =>
  withHeldGateways(stateUrl, async ({ gateways: [first, other], service, front }) => {
    const submitted = await clientOf(first).submit({ idempotencyKey: 'late', articles: [LATE], partSize: 1 });
    await until(() => front.held.length > 0);
    front.open();
    const cancelled = clientOf(other).cancel(submitted.id);
    const events: string[] = [];
    const answered = cancelled.then(() => events.push('answered'));
    void service.nextPut(LONGEST_MS).then(() => events.push(...service.ledger.keys()));
    // The answer waits for the call, which is let go once the cancel is stored.
    await until(async () => (await clientOf(first).poll(submitted.id)).state === 'CANCELLED');
    void front.release();
    await answered;
    return events;
  });

function keyedWrite(client: JobClient, other: JobClient) {
  const ask = (one: JobClient) => one.ask<KeyedAnswer>(UPDATE, { articles: [LATE] });
  // Its answer is of no interest: by then the other gateway has told the outcome.
  ask(client).catch(() => {});
  return {
    begun: Promise.resolve(),
    tell: async () => {
      const { outcome } = await whileAway(performance.now() + LONGEST_MS, () => ask(other));
      return outcome.results?.[0]?.__typename ?? outcome.__typename;
    },
  };
}
