import { rawRequest } from '../support/raw-http.ts';

/** Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed. */
export type Random = () => number;

/** A linear congruential generator: of low quality, but the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const HEADERS = [
  'Content-Type: application/json',
  'Accept: application/json',
  'api_token: abuse-token',
  'graphql-require-preflight: 1',
];

const post = (body: string): Buffer => rawRequest({ method: 'POST', headers: HEADERS, body });

const QUERY =
  'query Q($first: Int = 3, $ids: [ID!]!) { readerGroups(first: $first) { nodes { ...G @include(if: true) } } nodes(ids: $ids) { id } } fragment G on ReaderGroup { title accessScope { level } }';

const SEEDS: readonly Buffer[] = [
  post(JSON.stringify({ query: QUERY, variables: { first: 2, ids: ['x'] }, operationName: 'Q' })),
  post(
    '{"query":"mutation { bulkUpdateArticles(input: { articles: [{ articleId: \\"none\\", order: 1 }] }) { __typename } }"}',
  ),
  post('{"query":"{ __schema { types { name } } }","extensions":{"a":[1,2,{"b":null}]}}'),
  rawRequest({ target: '/graphql?query=%7B__typename%7D&variables=%7B%7D', headers: HEADERS }),
  rawRequest({ target: '/v2/readers?page=1&page_size=5', headers: HEADERS }),
  rawRequest({
    method: 'PUT',
    target: '/v2/articles/bulkupdate',
    headers: HEADERS,
    body: '[{"article_id":"none","title":"x"}]',
  }),
  rawRequest({ target: '/schema.graphql' }),
  rawRequest({ target: '/possible-types.json' }),
  rawRequest({ target: '/health/ready' }),
];

/** Pieces that break parsers of HTTP, URLs, JSON and GraphQL. */
const PIECES = [
  '\0',
  '\r\n',
  '\r\n\r\n',
  '%',
  '%00',
  '%zz',
  '//',
  '\\',
  '"',
  '{',
  '}',
  '[',
  ']',
  '...',
  '$',
  '@',
  '#',
  '\ufeff',
  '\ud800',
  'é',
  '\u2028',
  '-1',
  '1e400',
  '99999999999999999999',
  'null',
  '__proto__',
  'constructor',
  '"""',
  ' on ',
  '{"a":',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 5\r\n',
  'Host: b\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: websocket\r\n',
].map((piece) => Buffer.from(piece));

/** A well-formed request with some changes: bytes replaced, removed or doubled, or pieces inserted. */
export function createMutant(random: Random): Buffer {
  const randomIndex = (limit: number): number => Math.floor(random() * limit);
  let bytes = SEEDS[randomIndex(SEEDS.length)] ?? Buffer.of();
  for (let changes = 1 + randomIndex(4); changes > 0; changes--) {
    const at = randomIndex(bytes.length);
    const length = randomIndex(12);
    const put = [
      () => Buffer.of(randomIndex(256)),
      () => Buffer.of(),
      () => Buffer.concat([bytes.subarray(at, at + length), bytes.subarray(at, at + length)]),
      () => PIECES[randomIndex(PIECES.length)] ?? Buffer.of(),
      () => Buffer.from((PIECES[randomIndex(PIECES.length)] ?? Buffer.of()).toString().repeat(randomIndex(300))),
    ][randomIndex(5)];
    bytes = Buffer.concat([bytes.subarray(0, at), put?.() ?? Buffer.of(), bytes.subarray(at + length)]);
  }
  return bytes;
}
