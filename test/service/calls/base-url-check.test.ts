import { describe, expect, it } from 'vitest';
import { createRequestFacts } from '../../../src/core/callers/request-facts.ts';
import type { RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { json, status } from '../../support/faulty-service.ts';
import { openScene } from '../../support/rest-scene.ts';

const READ = 'GET /v2/ProjectVersions';
const NOT_FOUND = json(404, { success: false, errors: [{ description: 'No such path.' }] });

async function open(options: Partial<RestBackendOptions> = {}) {
  const lines: string[] = [];
  const scene = await openScene({ ...options, log: (level, message) => lines.push(`${level}: ${message}`) });
  const read = () => scene.backend.projectVersions({ ...scene.caller, request: createRequestFacts() });
  return { ...scene, lines, read };
}

const WARNING = 'warn: UPSTREAM_URL seems not to be the service';

describe('the base URL of the service', () => {
  it.each([
    ['404 without a body', status(404), 'everything there answers 404'],
    ['404 with an envelope', NOT_FOUND, 'everything there answers 404'],
    ['a redirect', status(302), 'no answer there is one of the service (HTTP 302)'],
    ['an empty page', status(200), 'no answer there is one of the service (HTTP 200)'],
  ])('is doubted after the second answer, where all of them are %s', async (_, answer, reason) => {
    const { service, backend, lines, read } = await open();
    service.on(READ, answer, answer, answer);
    await read();
    expect([await backend.checkReady(), lines]).toEqual([{ ok: true, value: undefined }, []]);
    await read();
    await read();
    const ready = await backend.checkReady();
    const error = `UPSTREAM_URL: ${reason}: is this the base URL? It is the address before /v2.`;
    expect([ready, lines]).toEqual([{ ok: false, error }, [WARNING]]);
  });

  it('is doubted no longer once the service answers there', async () => {
    const { service, backend, lines, read } = await open();
    service.on(READ, status(404), status(404), json(200, { data: [], success: true }), status(404), status(404));
    for (let count = 0; count < 5; count += 1) await read();
    expect(await backend.checkReady()).toMatchObject({ ok: true });
    expect(lines).toEqual([WARNING, 'info: the service answers at UPSTREAM_URL']);
  });

  it('is not doubted for answers of a failing service, or of one that accepts no token', async () => {
    const { service, lines, read } = await open();
    service.on(READ, status(401), status(403), status(503), status(401), status(404));
    for (let count = 0; count < 5; count += 1) await read();
    expect(lines).toEqual([]);
  });
});
