import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyService, openFaultyService } from '../../support/faulty-service.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { openBackendTo } from '../../support/rest-scene.ts';

/** IDs that lead to another path of the service once a proxy has decoded them. */
const LEADING_AWAY = ['.', '..', '../x', 'x/../../ProjectVersions', '..\\x', '%2e%2e', '..%2Fx', '%252e%252e%252f'];

const quoted = (id: string): string => JSON.stringify(id);

const ISSUES = '{ ... on ValidationError { source issues { path } } }';

/** Each input of an ID that is written, and the end of its path. */
const WRITES: readonly (readonly [place: string, mutation: (id: string) => string])[] = [
  ['articleId', (id) => `bulkUpdateArticles(input: { articles: [{ articleId: ${quoted(id)}, title: "x" }] })`],
  [
    'languageCode',
    (id) => `bulkUpdateArticles(input: { articles: [{ articleId: "a", languageCode: ${quoted(id)}, title: "x" }] })`,
  ],
  ['categoryId', (id) => `bulkUpdateArticles(input: { articles: [{ articleId: "a", categoryId: ${quoted(id)} }] })`],
  ['articleId', (id) => `previewBulkUpdateArticles(input: { articles: [{ articleId: ${quoted(id)}, title: "x" }] })`],
  ['articleId', (id) => `publishArticles(input: { userId: "u", articles: [{ articleId: ${quoted(id)} }] })`],
  [
    'languageCode',
    (id) => `unpublishArticles(input: { userId: "u", articles: [{ articleId: "a", languageCode: ${quoted(id)} }] })`,
  ],
  ['userId', (id) => `previewPublishArticles(input: { userId: ${quoted(id)}, articles: [{ articleId: "a" }] })`],
  [
    'projectVersionId',
    (id) => `createArticles(input: { userId: "u", articles: [{ title: "x", projectVersionId: ${quoted(id)} }] })`,
  ],
  ['groupId', (id) => `updateReaderGroup(input: { groupId: ${quoted(id)}, title: "x" })`],
  ['groupId', (id) => `previewChangeReaderGroupMembers(input: { groupId: ${quoted(id)}, addReaderIds: ["r"] })`],
  ['0', (id) => `changeReaderGroupMembers(input: { groupId: "g", addReaderIds: [${quoted(id)}] })`],
];

const READS: readonly ((id: string) => string)[] = [
  (id) => `article(articleId: ${quoted(id)}, languageCode: "en") { title }`,
  (id) => `article(articleId: "a", languageCode: ${quoted(id)}) { title }`,
  (id) => `readerGroup(groupId: ${quoted(id)}) { title }`,
  (id) => `categories(projectVersionId: ${quoted(id)}, languageCode: "en") { name }`,
];

describe('an ID that leads to another path', () => {
  let service: FaultyService;
  let gateway: Gateway;
  beforeAll(async () => {
    service = await openFaultyService();
    gateway = await startGateway({ backend: openBackendTo(service), local: false, token: 'token-1' });
  });
  beforeEach(() => expect(service.received).toEqual([]));
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  it.each(LEADING_AWAY)('is refused by every write, and not sent: %s', async (id) => {
    for (const [place, mutation] of WRITES) {
      const { body } = await gateway.send(`mutation { result: ${mutation(id)} ${ISSUES} }`);
      expect([mutation(id), body]).toMatchObject([
        mutation(id),
        { data: { result: { source: 'GATEWAY', issues: [{ path: expect.arrayContaining(['input', place]) }] } } },
      ]);
    }
    expect(service.received).toEqual([]);
  });

  it.each(LEADING_AWAY)('names nothing to every read, and is not sent: %s', async (id) => {
    for (const read of READS) {
      const { body } = await gateway.send(`{ result: ${read(id)} }`);
      expect([read(id), body]).toEqual([read(id), { data: { result: null } }]);
    }
    expect(service.received).toEqual([]);
  });
});
