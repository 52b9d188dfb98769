import { describe, expect, it, onTestFinished } from 'vitest';
import { err, mapOk } from '../../../src/core/base/result.ts';
import { unavailable } from '../../../src/core/errors.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';

describe('totalCount', () => {
  it('is null with the code of the failure where the list could be read, and not counted', async () => {
    const store = await openFixtureStore();
    const gateway = await startGateway({
      backend: {
        ...store,
        listReaderGroups: async (...args) =>
          mapOk(await store.listReaderGroups(...args), (page) => ({
            ...page,
            totalCount: async () => err(unavailable('The store has no time for this now; nothing was changed.')),
          })),
      },
      local: true,
      token: TOKEN,
    });
    onTestFinished(() => gateway.close());
    const { body } = await gateway.send('{ readerGroups(first: 1) { totalCount nodes { groupId } } }');
    expect(body).toMatchObject({
      data: { readerGroups: { totalCount: null, nodes: [{ groupId: expect.any(String) }] } },
      errors: [{ path: ['readerGroups', 'totalCount'], extensions: { code: 'UNAVAILABLE', retryable: true } }],
    });
  });
});
