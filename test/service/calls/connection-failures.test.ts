import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRestBackend } from '../../../src/service/rest-backend.ts';
import { envelope, json, openFaultyService } from '../../support/faulty-service.ts';
import { portOf } from '../../support/ports.ts';
import { accept, callerWith, openBackendTo } from '../../support/rest-scene.ts';
import {
  AUTHORITY,
  CERTIFICATE,
  EXPIRED,
  ISSUED,
  identityOf,
  NAMED_CERTIFICATE,
  ROOT,
} from '../../support/tls-front.ts';

/** A listening server's port, until the test ends. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return portOf(server.address());
}

/** Serves TLS with a certificate, followed by those of its authorities. */
const serveTls = (certificate: string, ...authorities: readonly string[]): Promise<number> => {
  const { key } = identityOf(certificate);
  const cert = [certificate, ...authorities].map((file) => readFileSync(file, 'utf8')).join('\n');
  return listen(tls.createServer({ key, cert }, (socket) => socket.destroy()).on('tlsClientError', () => {}));
};

const trust = (...certificates: readonly string[]): void => {
  const before = tls.getCACertificates('default');
  onTestFinished(() => tls.setDefaultCACertificates(before));
  tls.setDefaultCACertificates([...before, ...certificates.map((file) => readFileSync(file, 'utf8'))]);
};

/** Servers that let no call come about, each with what is told of them. */
const FAILURES: readonly (readonly [name: string, port: () => Promise<number>, code: string, sentence: string])[] = [
  [
    'an unknown authority',
    () => serveTls(ISSUED, AUTHORITY),
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'its certificate is from an authority that is not trusted here.',
  ],
  [
    'an unknown authority that is sent along',
    () => serveTls(ISSUED, AUTHORITY, ROOT),
    'SELF_SIGNED_CERT_IN_CHAIN',
    'its certificate is from an authority that is not trusted here.',
  ],
  [
    'an incomplete chain',
    () => {
      trust(ROOT);
      return serveTls(ISSUED);
    },
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its certificate could not be verified: the chain is incomplete, or its authority is not trusted here.',
  ],
  [
    'a self-signed certificate',
    () => serveTls(CERTIFICATE),
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'its certificate is self-signed, and not trusted here.',
  ],
  [
    'another name',
    () => {
      trust(NAMED_CERTIFICATE);
      return serveTls(NAMED_CERTIFICATE);
    },
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'its certificate is for another name.',
  ],
  [
    'an expired certificate',
    () => {
      trust(ROOT);
      return serveTls(EXPIRED, AUTHORITY);
    },
    'CERT_HAS_EXPIRED',
    'its certificate has expired.',
  ],
  [
    'no TLS',
    () => listen(createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'no TLS is spoken there.',
  ],
  [
    'a reset in the handshake',
    () => listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy()).on('error', () => {}))),
    'ECONNRESET',
    'the connection was cut.',
  ],
  [
    'a version of TLS that is too old',
    () => listen(tls.createServer({ ...identityOf(CERTIFICATE), minVersion: 'TLSv1', maxVersion: 'TLSv1' })),
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'the TLS handshake failed.',
  ],
  [
    'a closed port',
    async () => {
      const server = createServer();
      const port = await listen(server);
      server.close();
      return port;
    },
    'ECONNREFUSED',
    'the connection was refused.',
  ],
];

function open(baseUrl: string, timeoutMs = 10_000) {
  const lines: { message: string; fields: unknown }[] = [];
  const log = (_level: string, message: string, fields?: unknown) => void lines.push({ message, fields });
  // The connection is that of the update itself.
  const backend = openRestBackend({ baseUrl, timeoutMs, bulkSize: 1, maxReadCalls: 1, log, keepsHidden: false });
  onTestFinished(() => backend.close());
  return { backend, lines };
}

describe('a connection that does not come about', () => {
  const tell = async ([, portOfServer, code, sentence]: (typeof FAILURES)[number]) => {
    const port = await portOfServer();
    const { backend, lines } = open(`https://127.0.0.1:${port}`);
    const message = `The service cannot be reached: ${sentence}`;
    const read = await backend.projectVersions(callerWith());
    expect(read).toEqual({ ok: false, error: { kind: 'unavailable', message, serviceErrors: [] } });
    const write = await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a' }]);
    expect(write).toMatchObject({ ok: false, error: { kind: 'unavailable', message } });
    expect(await backend.checkReady()).toEqual({
      ok: false,
      error: expect.stringMatching(
        new RegExp(`^(?:The service cannot be reached \\(${code}\\)|Calls of the service fail)`, 'u'),
      ),
    });
    const told = lines.filter(({ message: text }) => text === 'no connection to the service');
    expect(told).toEqual([{ message: 'no connection to the service', fields: { code, reason: message } }]);
    expect(JSON.stringify([read, write, await backend.checkReady()])).not.toMatch(new RegExp(`127\\.0|${port}`, 'u'));
  };

  it.each(FAILURES.slice(0, 2))('is told with its cause, without an address: %s', (...failure) => tell(failure));

  it.each(FAILURES.slice(2))('is told with its cause, without an address: %s', { tags: 'long' }, (...failure) =>
    tell(failure),
  );

  it('is told where the name of the host is not found', async () => {
    const { backend, lines } = open('http://service.invalid');
    const read = await backend.projectVersions(callerWith());
    expect(read).toMatchObject({ error: { message: expect.stringMatching(/the name of its host/u) } });
    expect(lines).toContainEqual(expect.objectContaining({ message: 'no connection to the service' }));
  });

  it('is told where it takes too long', { tags: 'long' }, async () => {
    const port = await listen(createServer((socket) => socket.on('error', () => {})));
    const { backend } = open(`https://127.0.0.1:${port}`, 500);
    const message = 'The service cannot be reached: the connection took too long.';
    expect(await backend.projectVersions(callerWith())).toMatchObject({ error: { kind: 'unavailable', message } });
  });
});

describe('the readiness', () => {
  it('tells a certificate that is not trusted before the first call', async () => {
    const { backend, lines } = open(`https://127.0.0.1:${await serveTls(ISSUED, AUTHORITY)}`);
    expect(await backend.checkReady()).toEqual({
      ok: false,
      error:
        'The service cannot be reached (UNABLE_TO_GET_ISSUER_CERT_LOCALLY): its certificate is from an authority that is not trusted here.',
    });
    expect(lines).toEqual([]);
  });

  it('is given over TLS without a request', async () => {
    trust(ROOT);
    const { backend } = open(`https://localhost:${await serveTls(ISSUED, AUTHORITY)}`);
    expect(await backend.checkReady()).toEqual({ ok: true, value: undefined });
  });

  it.each<[string, number, Record<string, string>, string]>([
    [
      'a page',
      403,
      { 'content-type': 'text/html; charset=utf-8', server: 'nginx/1.2' },
      'HTTP 403, text/html, server: nginx/1.2',
    ],
    [
      'a page instead of an answer',
      200,
      { 'content-type': 'text/html', 'x-cache': 'HIT' },
      'HTTP 200, text/html, x-cache: HIT',
    ],
    ['a redirect', 302, { location: 'https://login.example/?token=x' }, 'HTTP 302, location'],
    ['a sign-in', 407, { 'proxy-authenticate': 'Basic realm="p"' }, 'HTTP 407, proxy-authenticate: Basic realm="p"'],
    ['a long header', 400, { via: 'x', 'cf-ray': 'y'.repeat(500) }, `HTTP 400, cf-ray: ${'y'.repeat(100)}`],
  ])('says what came in place of an answer of the service: %s', async (_name, status, ...[headers, seen]) => {
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    const lines: { message: string; fields?: unknown }[] = [];
    const backend = openBackendTo(service, { log: (_level, message, fields) => lines.push({ message, fields }) });
    onTestFinished(() => backend.close());
    await accept({ service, backend });
    service.onAny((response) => void response.writeHead(status, headers).end('<html>'));
    for (let call = 0; call < 3; call += 1) await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a' }]);
    const reason = `UPSTREAM_URL: answers come that are not the service's: ${seen}.`;
    expect(await backend.checkReady()).toEqual({ ok: false, error: reason });
    const told = lines.filter(({ message }) => message === "an answer is not the service's");
    expect(told).toEqual([expect.objectContaining({ fields: expect.objectContaining({ httpStatus: status }) })]);
    expect(JSON.stringify(lines)).not.toContain('token=x');
    service.onAny(json(200, envelope([])));
    await backend.projectVersions(callerWith());
    expect(await backend.checkReady()).toMatchObject({ ok: true });
  });
});
