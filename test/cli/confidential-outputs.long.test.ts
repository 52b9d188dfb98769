import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Behaviour, envelope, json, openFaultyService } from '../support/faulty-service.ts';
import { startMeasuredGateway } from '../support/measured-gateway.ts';
import { openCollector } from '../support/otlp-collector.ts';
import type { RunningGateway } from '../support/process.ts';

/** What clients send and the service answers. Each begins with a word of its own, so that a part of it is found, too. */
const TOKENS = { own: 'tokenown_0123456789', stranger: 'tokenstranger_0123456789', service: 'tokenservice_0123456789' };
const TOKEN_TEXT = /token(?:own|stranger|service)/u;
const ARTICLE_TEXT = /articletext|persontext/u;
const TITLE = 'articletext of the title';
const CONTENT = 'articletext of the content';
const EMAIL = 'persontext@kb.example';

/** All that operators see of a gateway, by name. A new output is one more line here. */
const outputsOf = async ({
  printed,
  stderr,
  page,
  exports,
}: GatewayOutput): Promise<Readonly<Record<string, string>>> => ({
  log: printed,
  stderr,
  page,
  audit: await readFile(join(cwd, 'audit.jsonl'), 'utf8'),
  traces: textOf(exports, '/v1/traces'),
  metrics: textOf(exports, '/v1/metrics'),
});

const textOf = (exports: GatewayOutput['exports'], path: string): string =>
  exports.flatMap((sent) => (sent.path === path ? [sent.body] : [])).join('\n');

interface GatewayOutput {
  readonly printed: string;
  readonly stderr: string;
  /** What Prometheus scrapes. */
  readonly page: string;
  readonly exports: readonly { readonly path: string; readonly body: string }[];
}

let cwd: string;
let closing: (() => Promise<unknown>)[];
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-outputs-'));
  closing = [() => rm(cwd, { recursive: true })];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

const items = (ids: readonly string[]) =>
  ids.map((articleId) => ({ articleId, title: TITLE, content: CONTENT, languageCode: 'en' }));

const FIELDS = `
  updateReaderGroup(input: { groupId: "partners", title: "${TITLE}", description: "${CONTENT}" }) { ...Failure }
  changeReaderGroupMembers(input: { groupId: "partners", addReaderIds: ["nobody"] }) { ...Failure }
  previewBulkUpdateArticles(input: $input) { ...Failure }
  previewUpdateReaderGroup(input: { groupId: "partners", title: "${TITLE}" }) { ...Failure }
  previewChangeReaderGroupMembers(input: { groupId: "partners", addReaderIds: ["nobody"] }) { ...Failure }`;
const FAILURE = 'fragment Failure on MutationError { code message serviceErrors { description } }';
const READBACK = '... on BulkUpdateArticlesPayload { results { details ... on ArticleUpdated { article { title } } } }';

const WRITES = `mutation Writes($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) { __typename ${READBACK} ...Failure } ${FIELDS} } ${FAILURE}`;

const READS = `query Reads {
  articles(filter: { text: "${CONTENT}" }) { nodes { title content } }
  article(articleId: "unpack-the-hub") { title content category { name } }
  articleBySlug(slug: "unpack-the-hub") { title }
  readers(emailContains: "${EMAIL}") { nodes { email } }
  readerGroups { nodes { title readers { nodes { email } } } }
  projectVersions { name }
  rateLimit { remaining }
}`;

const variables = { input: { articles: items(['unpack-the-hub', 'no-such-article']) } };

/** Documents, variables and names that are refused, each with a text of an article in it. */
const REFUSED: readonly object[] = [
  { query: `{ "${TITLE}"` },
  { query: `{ articles(filter: { text: ${JSON.stringify(TITLE)}, nothing: 1 }) { nodes { title } } }` },
  { query: WRITES, variables: { input: { articles: [{ articleId: 'a', title: { text: TITLE } }] } } },
  { query: WRITES, variables: { input: { articles: [{ articleId: '', title: TITLE, hidden: null }] } } },
  { query: READS, operationName: TITLE },
  { query: READS, extensions: TITLE },
  { query: `{ ${'a: __typename '.repeat(200)} }` },
];

/** Headers in which clients send tokens, rightly or not. */
const headersWith = (token: string): readonly Readonly<Record<string, string>>[] => [
  { api_token: token },
  { 'x-api-token': token },
  { authorization: `Bearer ${token}` },
  {
    api_token: token,
    cookie: `session=${token}`,
    'user-agent': token,
    referer: `http://kb.example/?${token}`,
    'x-forwarded-for': token,
    'x-request-id': token,
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: `a=${token}`,
    baggage: `a=${token}`,
  },
  { 'x-api-key': token, 'proxy-authorization': `Basic ${token}` },
];

/** A path and the name of an operation with a token in it, as a client may send them by mistake. */
async function sendMisplaced(gateway: RunningGateway, { sent, misplaced }: { sent: string; misplaced: string }) {
  const { origin } = new URL(gateway.url);
  const encoded = misplaced.replaceAll('o', '%6f');
  for (const tokenHeaders of headersWith(sent).slice(0, 3)) {
    const headers = { 'content-type': 'application/json', ...tokenHeaders };
    const body = JSON.stringify({ query: `query Of${misplaced} { projectVersions { name } }` });
    await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
    for (const text of [misplaced, encoded, `%${encoded}`]) {
      await fetch(`${origin}/v2/${text}`, { headers });
      await fetch(`${origin}/nothing/${text}`, { headers });
    }
  }
}

const LANDMARK = 'the-last-request';

/** Sends everything to a gateway; returns the texts of all answers with errors. */
async function sendEverything(gateway: RunningGateway): Promise<readonly string[]> {
  const { origin } = new URL(gateway.url);
  const answers: string[] = [];
  const send = async (path: string, init: RequestInit) => {
    answers.push(await (await fetch(`${origin}${path}`, init)).text());
  };
  for (const token of [TOKENS.own, TOKENS.stranger]) {
    for (const sent of headersWith(token)) {
      const headers = { 'content-type': 'application/json', ...sent };
      const post = (body: object) => send('/graphql', { method: 'POST', headers, body: JSON.stringify(body) });
      await post({ query: WRITES, variables });
      await post({ query: READS });
      for (const body of REFUSED) await post(body);
      await send('/graphql', { method: 'POST', headers, body: `{"query": "${TITLE}` });
      await send(`/graphql?query=${encodeURIComponent(READS)}`, { headers });
      await send(`/graphql?query={${encodeURIComponent(TITLE)}`, { headers });
      await send(`/v2/Readers?search=${EMAIL}`, { headers });
      const body = JSON.stringify([{ article_id: 'unpack-the-hub', title: TITLE, order: TITLE }]);
      await send('/v2/Articles/bulkupdate', { method: 'PUT', headers, body });
      await send('/v2/Articles/bulkupdate', { method: 'PUT', headers, body: `[{"title":"${TITLE}` });
    }
  }
  await fetch(`${origin}/nothing`, { headers: { 'x-request-id': LANDMARK } });
  return answers.filter((answer) => /"errors"|"success":false/u.test(answer));
}

/** Answers that quote what was sent, and the token as well. */
function quotingService(): Behaviour {
  let calls = 0;
  return (response, request) => {
    const quoted = `${JSON.stringify(request.body)} ${request.url} ${request.headers['api_token']} ${CONTENT}`;
    const notices = [{ description: quoted, warning_code: 'w' }];
    const failed = { ...envelope(null), success: false, errors: [{ description: quoted, stack_trace: quoted }] };
    const data = Array.isArray(request.body)
      ? request.body.map(({ article_id }) => ({ article_id, success: true, details: quoted }))
      : [];
    const behaviours = [
      json(200, { ...envelope(data), warnings: notices }),
      json(400, failed),
      json(500, failed),
      json(200, quoted),
      json(403, failed),
      () => void response.destroy(),
    ];
    void behaviours[calls++ % behaviours.length]?.(response, request);
  };
}

async function serve(settings: Readonly<Record<string, string>>) {
  const { url, exports } = await openCollector();
  const operated = { AUDIT_LOG: 'audit.jsonl', LOG_LEVEL: 'debug', CALLER_REQUESTS_PER_MINUTE: '500' };
  const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  const gateway = await startMeasuredGateway(cwd, { ...operated, ...otlp, ...settings });
  closing.push(() => gateway.stop('SIGKILL'));
  for (const token of [TOKENS.own, TOKENS.stranger]) await sendMisplaced(gateway, { sent: token, misplaced: token });
  const lent = settings['UPSTREAM_API_TOKEN'];
  if (lent !== undefined) await sendMisplaced(gateway, { sent: TOKENS.own, misplaced: lent });
  const failures = await sendEverything(gateway);
  const page = await gateway.page();
  const { stdout, stderr } = await gateway.stop();
  return { failures, outputs: await outputsOf({ printed: stdout, stderr, page, exports }) };
}

function expectConfidential({ failures, outputs }: Awaited<ReturnType<typeof serve>>): void {
  expect(failures.length).toBeGreaterThan(50);
  expect(outputs['log']).toContain(LANDMARK);
  expect(outputs['audit']).toContain('"phase":"outcome"');
  expect(outputs['traces']).toContain('"Writes"');
  expect(outputs['page']).toContain('kb_gateway_items_total');
  expect(outputs['metrics']).toContain('http.server.request.duration');
  for (const failure of failures) expect.soft(failure).not.toMatch(TOKEN_TEXT);
  for (const [name, text] of Object.entries(outputs)) {
    expect.soft(text.match(new RegExp(`.{0,200}${TOKEN_TEXT.source}.{0,20}`, 'gu')), name).toBeNull();
    expect.soft(text.match(new RegExp(`.{0,200}(?:${ARTICLE_TEXT.source}).{0,20}`, 'gu')), name).toBeNull();
  }
}

it('no output of a gateway over the store has a token or a text of an article, and no answer has a token', async () => {
  expectConfidential(await serve({ API_TOKEN: TOKENS.own, DATABASE_URL: 'sqlite:kb.db' }));
});

it.each([
  ['with the tokens of its callers', {}],
  ['with a token that it lends', { UPSTREAM_API_TOKEN: TOKENS.service, API_TOKEN: TOKENS.own }],
])(
  'no output of a gateway over the service, %s, has a token or a text of an article, and no answer has a token',
  async (_, settings) => {
    const service = await openFaultyService();
    closing.push(() => service.close());
    service.onAny(quotingService());
    expectConfidential(await serve({ UPSTREAM_URL: service.url, REQUEST_TIMEOUT_MS: '2000', ...settings }));
  },
);
