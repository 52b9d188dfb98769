import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { envelope, type FaultyService, json, openFaultyService, status } from '../../../support/faulty-service.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';
import { accept, openBackendTo } from '../../../support/rest-scene.ts';

const TOKEN = 'token-1';
const LIST = 'GET /v2/ProjectVersions/v1/articles';
const TREE = 'GET /v2/ProjectVersions/v1/categories';
const VERSIONS = 'GET /v2/ProjectVersions';

const QUERY = `{
  articles(projectVersionId: "v1", languageCode: "en", first: 2) {
    nodes { title category { name } projectVersion { name } }
  }
}`;

const articlesOf = (...ids: readonly string[]) => ids.map((id) => ({ id, title: id, language_code: 'en' }));

describe('a page of articles', () => {
  let service: FaultyService;
  let gateway: Gateway;
  beforeAll(async () => {
    service = await openFaultyService();
    const backend = openBackendTo(service);
    await accept({ service, backend }, TOKEN);
    gateway = await startGateway({ backend, local: false, token: TOKEN });
  });
  beforeEach(() => {
    for (const call of [LIST, TREE, VERSIONS]) service.forget(call);
    service.on(LIST, json(200, envelope(articlesOf('a1', 'a2'))));
    service.on(TREE, json(200, envelope([{ id: 'c1', name: 'One', articles: articlesOf('a1') }])));
    service.on(VERSIONS, json(200, envelope([{ id: 'v1', version_code_name: 'First' }])));
  });
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  const send = async () => (await gateway.send(QUERY)).body;

  it('has the category and the project version of each, or null where it has none', async () => {
    const projectVersion = { name: 'First' };
    expect(await send()).toEqual({
      data: {
        articles: {
          nodes: [
            { title: 'a1', category: { name: 'One' }, projectVersion },
            { title: 'a2', category: null, projectVersion },
          ],
        },
      },
    });
  });

  it.each([
    ['categories', TREE, 'category', { category: null, projectVersion: { name: 'First' } }],
    ['project versions', VERSIONS, 'projectVersion', { projectVersion: null }],
  ])('has the rest and an error for each article where the %s cannot be read, in one call', async (...row) => {
    const [_name, call, field, nodes] = row;
    service.forget(call);
    service.on(call, status(503));
    const { data, errors } = await send();
    expect(data).toMatchObject({ articles: { nodes: [nodes, nodes] } });
    expect(errors?.map(({ path }) => path)).toEqual([
      ['articles', 'nodes', 0, field],
      ['articles', 'nodes', 1, field],
    ]);
    expect(service.receivedOn(call)).toHaveLength(1);
  });
});
