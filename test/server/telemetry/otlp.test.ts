import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { packageVersion } from '../../../src/server/package-version.ts';
import { GroupTitlesDocument } from '../../support/generated/operations.ts';
import { openCollector } from '../../support/otlp-collector.ts';
import { ask, startGatewayProcess } from '../../support/process.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-otlp-'));
});
afterEach(() => rm(cwd, { recursive: true }));

async function start(settings: Record<string, string>) {
  const gateway = await startGatewayProcess({ cwd, settings: { DATABASE_URL: 'sqlite::memory:', ...settings } });
  onTestFinished(async () => void (await gateway.stop('SIGKILL')));
  return gateway;
}

describe('the export by OTLP', () => {
  it('sends the last metrics before the stop, with what the standard variables say', async () => {
    const { url, exports } = await openCollector();
    const gateway = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    });
    await ask(gateway, GroupTitlesDocument, {});
    const { code, stdout, stderr } = await gateway.stop();
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('telemetry');
    const traces = exports.filter(({ path }) => path === '/v1/traces').map(({ body }) => body);
    expect(traces.join()).toContain('"name":"POST /graphql"');
    const sent = exports.filter(({ path }) => path === '/v1/metrics').at(-1);
    expect(sent?.headers.authorization).toBe('Bearer abc');
    const [{ resource, scopeMetrics }] = JSON.parse(sent?.body ?? '').resourceMetrics;
    const attributes = Object.fromEntries(
      resource.attributes.map(({ key, value }: { key: string; value: object }) => [key, Object.values(value)[0]]),
    );
    expect(attributes).toMatchObject({
      'service.name': 'kb-gateway',
      'service.version': packageVersion(),
      'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/u),
      'deployment.environment.name': 'staging',
      'telemetry.sdk.name': 'opentelemetry',
    });
    const names = scopeMetrics[0].metrics.map(({ name }: { name: string }) => name);
    expect(names).toContain('http.server.request.duration');
  });

  it('ends where the port of the metrics is taken, and sends what there is before', { tags: 'long' }, async () => {
    const { url, exports } = await openCollector();
    const program = `
      import { readConfig } from '${pathToFileURL(resolve('src/server/config.ts'))}';
      import { openTelemetry } from '${pathToFileURL(resolve('src/server/process/process-telemetry.ts'))}';
      const config = readConfig({ ...process.env, API_TOKEN: 't', METRICS_PORT: '${new URL(url).port}' });
      const opened = await openTelemetry(config.value, () => {});
      process.stdout.write(JSON.stringify(opened));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    });
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: expect.stringContaining('is in use') });
    expect(exports.map(({ path }) => path)).toContain('/v1/metrics');
  });

  it('sends a trace that goes from the client through the gateway to the service, and the store behind it', {
    tags: 'long',
  }, async () => {
    const { url, spans } = await openCollector();
    const otlp = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
    const store = await start({ ...otlp, API_TOKEN: 'token', OTEL_SERVICE_NAME: 'the store' });
    const gateway = await start({ ...otlp, UPSTREAM_URL: new URL(store.url).origin });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        api_token: 'token',
        'x-request-id': 'one',
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify({ query: 'query Versions { projectVersions { name } }' }),
    });
    expect(response.status).toBe(200);
    const logs = [(await gateway.stop()).log, (await store.stop()).log];
    for (const log of logs) {
      const lines = log
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.filter(({ message }) => message === 'request')).toMatchObject([{ requestId: 'one', traceId }]);
    }
    const ofTrace = spans().filter((span) => span.traceId === traceId);
    const path = ['POST /graphql', 'query', 'GET /v2/ProjectVersions', 'GET /v2/ProjectVersions', 'SELECT'];
    let parentSpanId = '00f067aa0ba902b7';
    for (const name of path) {
      const span = ofTrace.find((other) => other.parentSpanId === parentSpanId);
      expect(span?.name).toBe(name);
      parentSpanId = span?.spanId ?? '';
    }
  });

  it('has no effect on requests or the stop where the collector never responds', { tags: 'long' }, async () => {
    const { url, exports } = await openCollector(false);
    const gateway = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_METRIC_EXPORT_INTERVAL: '50',
      SHUTDOWN_GRACE_MS: '1500',
    });
    await expect.poll(() => exports.length).toBeGreaterThan(0);
    expect((await ask(gateway, GroupTitlesDocument, {})).readerGroups?.nodes).not.toEqual([]);
    const { code, stdout, stderr } = await gateway.stop();
    expect(code).toBe(0);
    const messages = (stdout + stderr)
      .split('\n')
      .flatMap((line) => (line.startsWith('{"time') ? [JSON.parse(line)] : []));
    expect(messages.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['the last telemetry could not be exported in time', 'stopped']),
    );
    expect(messages.filter(({ message }) => message === 'telemetry has a problem').length).toBeLessThanOrEqual(1);
  });
});
