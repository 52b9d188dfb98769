import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '../../test/support/embedded-postgres.ts';
import { type FaultyService, openFaultyService } from '../../test/support/faulty-service.ts';
import type { GraphQLAnswer } from '../../test/support/gateway.ts';
import { SERVICE_TOKEN } from '../../test/support/jobs/job-gateway.ts';
import { createPostgresDatabase } from '../../test/support/postgres-database.ts';
import { type RunningGateway, startGatewayProcess } from '../../test/support/process.ts';

/** A token of the gateways' own, whose callers are lent the one of the service. */
const OWN_TOKEN = 'gateway-token';

/** Gateway processes with default settings in front of one service, which the measurement makes behave. */
export interface GatewayScene {
  readonly service: FaultyService;
  readonly gateways: readonly SendingGateway[];
}

/** A gateway to which the measurement sends documents. */
export interface SendingGateway {
  send(query: string, variables?: object): Promise<GraphQLAnswer>;
}

export interface GatewaySceneOptions {
  readonly count: number;
  /** False where each gateway keeps to itself. */
  readonly isShared: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs the work over gateways with a new database, and ends all that it started. */
export async function inGatewayScene<Value>(
  options: GatewaySceneOptions,
  work: (scene: GatewayScene) => Promise<Value>,
): Promise<Value> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-several-'));
  const service = await openFaultyService();
  const postgres = options.isShared ? await startPostgres({}) : null;
  const running: RunningGateway[] = [];
  try {
    const settings = await settingsOf(service, postgres, options);
    for (let started = 0; started < options.count; started += 1) {
      running.push(await startGatewayProcess({ cwd, settings }));
    }
    return await work({ service, gateways: running.map(sendingTo) });
  } finally {
    await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
    await postgres?.stop();
    await service.close();
    await rm(cwd, { recursive: true });
  }
}

async function settingsOf(
  service: FaultyService,
  postgres: PostgresServer | null,
  { settings }: GatewaySceneOptions,
): Promise<Readonly<Record<string, string>>> {
  return {
    UPSTREAM_URL: service.url,
    UPSTREAM_API_TOKEN: SERVICE_TOKEN,
    API_TOKEN: OWN_TOKEN,
    LOG_LEVEL: 'warn',
    ...(postgres && { STATE_URL: (await createPostgresDatabase(postgres.url)).url }),
    ...settings,
  };
}

const sendingTo = ({ url }: RunningGateway): SendingGateway => ({
  async send(query, variables = {}) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: OWN_TOKEN },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  },
});

/** Gives each request to the next gateway, as a load balancer does that knows no clients. */
export function inTurn(gateways: readonly SendingGateway[]): () => SendingGateway {
  let requests = 0;
  return () => gatewayAt(gateways, requests++);
}

/** Gives all requests of a client to the same gateway. */
export const byClient =
  (gateways: readonly SendingGateway[]) =>
  (client: number): SendingGateway =>
    gatewayAt(gateways, client);

function gatewayAt(gateways: readonly SendingGateway[], index: number): SendingGateway {
  const gateway = gateways[index % gateways.length];
  if (gateway === undefined) throw new Error('There is no gateway.');
  return gateway;
}
