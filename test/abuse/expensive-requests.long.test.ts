import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { EXPENSIVE } from './expensive-requests.ts';

// `npm run test:abuse` measures how long each of them delays other requests, over a larger knowledge base.
describe('a request that is designed to be expensive', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  it.each(EXPENSIVE)('by $name gets a response without an internal error', async ({ body }) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: TOKEN },
      body,
    });
    const text = await response.text();
    expect(response.status).toBeLessThan(500);
    expect(text).not.toMatch(/INTERNAL|node_modules|\.ts:\d/u);
    if (!text.includes('"data"')) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000);
  });
});
