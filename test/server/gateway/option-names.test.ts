import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway, type GatewayOptions } from '../../../src/index.ts';
import { openFaultyService, status } from '../../support/faulty-service.ts';
import { portOf } from '../../support/ports.ts';

const STORE = { kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: ['t'] } as const;

/** A gateway until the end of the test, and its log. */
function open(options: Partial<GatewayOptions>) {
  const lines: string[] = [];
  const gateway = createGateway({ backend: STORE, log: { write: (line) => lines.push(line) }, ...options });
  onTestFinished(() => gateway.close());
  return { gateway, lines };
}

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return portOf(server.address());
}

describe('a gateway that cannot be opened names the option, not the setting', () => {
  it.each<readonly [string, () => Promise<Partial<GatewayOptions>> | Partial<GatewayOptions>, RegExp]>([
    ['metrics.port', async () => ({ metrics: { port: await takenPort() } }), /METRICS_PORT/u],
    ['trustedDocuments.path', () => ({ trustedDocuments: { path: '/no/such.json' } }), /PERSISTED_DOCUMENTS/u],
    // A file can't be in a file.
    ['audit.path', () => ({ audit: { path: join(import.meta.filename, 'audit.jsonl') } }), /AUDIT_LOG/u],
    [
      'backend.databaseUrl',
      () => ({ backend: { ...STORE, databaseUrl: 'postgres://u:p@127.0.0.1:9/kb' } }),
      /DATABASE_URL/u,
    ],
  ])('%s', async (option, optionsOf, setting) => {
    const { gateway, lines } = open(await optionsOf());
    const error = await gateway.ready().catch((reason: unknown) => reason);
    for (const text of [String(error), lines.join('')]) {
      expect(text).toContain(option);
      expect(text).not.toMatch(setting);
    }
  });
});

it('the log of a mounted gateway names options', async () => {
  const service = await openFaultyService();
  onTestFinished(() => service.close());
  service.onAny(status(404, '<html>'));
  const { gateway, lines } = open({ backend: { kind: 'service', url: service.url } });
  const query = { headers: { api_token: 't' } };
  const url = 'http://site.example/graphql?query={projectVersions{name}}';
  for (let calls = 0; calls < 20 && lines.length === 0; calls++) await gateway.fetch(new Request(url, query));
  expect(lines.join('')).toContain('backend.url seems not to be the service');
  expect(lines.join('')).not.toContain('UPSTREAM_URL');
});
