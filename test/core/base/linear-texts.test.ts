import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parseCell, parseColumns, unknownField } from '../../../src/cli/bulk-update/article-rows.ts';
import { readCsvRows } from '../../../src/cli/bulk-update/csv-rows.ts';
import { checkRows } from '../../../src/cli/bulk-update/input-rows.ts';
import { titleKeyOf } from '../../../src/core/articles/articles.ts';
import { articleNamedIn, wordsIn } from '../../../src/core/articles/named-articles.ts';
import { cutMarks, indexedWordsOf, parseSearchText } from '../../../src/core/articles/search-words.ts';
import { silentLog } from '../../../src/core/base/log.ts';
import { formatJsonLine, formatPrettyLine } from '../../../src/core/base/logger.ts';
import { negotiateGraphqlType } from '../../../src/core/base/media-types.ts';
import { networkOf } from '../../../src/core/base/network.ts';
import { toPrintable, toPrintableJson, toPrintableLines } from '../../../src/core/base/printable.ts';
import { ok } from '../../../src/core/base/result.ts';
import { closestName, editDistance } from '../../../src/core/base/spelling.ts';
import { compareTexts, idProblem, textProblem } from '../../../src/core/base/text.ts';
import { HiddenTokens } from '../../../src/core/callers/hidden-tokens.ts';
import { decodeTraceHeaders } from '../../../src/core/callers/request-record.ts';
import { createServiceError, NO_NOTICES } from '../../../src/core/notices.ts';
import { readerGroupTitleProblem } from '../../../src/core/reader-groups/reader-group-updates.ts';
import { emailPartProblem } from '../../../src/core/reader-groups/reader-groups.ts';
import { decodeUpdate } from '../../../src/core/writes/codec.ts';
import { createBoundedErrors } from '../../../src/graphql/execution/operation-errors.ts';
import { fromOrderedCursor } from '../../../src/graphql/schema/articles/articles.ts';
import { decodeGlobalId } from '../../../src/graphql/schema/nodes.ts';
import { jsonSizeOf } from '../../../src/graphql/schema/response-budget.ts';
import { createSchema } from '../../../src/graphql/schema/schema.ts';
import { decodeCacheControl } from '../../../src/server/http/requests/request-record.ts';
import { splitResult } from '../../../src/service/merging/split-result.ts';
import { paginateArray } from '../../../src/service/reads/paging.ts';
import { emailContainsText } from '../../../src/service/reads/readers.ts';
import { lenientTime } from '../../../src/service/v2/fields.ts';
import { decodeRateLimit } from '../../../src/service/v2/rate-limit.ts';
import { createQueryParams, queryNumber } from '../../../src/store/facade/route-handler.ts';
import { matchPath } from '../../../src/store/facade/routes.ts';
import { parseYamlFields, splitMarkdown } from '../../../src/store/knowledge-base/front-matter.ts';
import { lineOf } from '../../../src/store/knowledge-base/json-position.ts';
import { caller } from '../../store/store.ts';
import { times } from '../../support/repeat.ts';

/*
 * Each function that reads a text of somebody else, by the file that it is in. A function gets in by a line here; the
 * last test fails for a file that normalizes texts or has an expression that repeats something, and is in neither list.
 */
type TextFunction = (text: string) => unknown;

const dateTime = createSchema().getType('DateTime');

const FUNCTIONS: Readonly<Record<string, readonly TextFunction[]>> = {
  'core/articles/search-words.ts': [indexedWordsOf, cutMarks, parseSearchText],
  'core/articles/articles.ts': [titleKeyOf],
  'core/articles/named-articles.ts': [
    (text) => articleNamedIn([createServiceError(`${text}\r\nError: ${text}`)], [{ articleId: text }]),
    wordsIn,
  ],
  'core/callers/hidden-tokens.ts': [(text) => hiddenTokens().areInPath(text)],
  'core/base/network.ts': [networkOf],
  'store/knowledge-base/json-position.ts': [(text) => lineOf(JSON.stringify({ [text]: [text], last: text }), ['last'])],
  'store/knowledge-base/front-matter.ts': [
    splitMarkdown,
    (text) => splitMarkdown(`---\n${text}\n---\n# ${text}`),
    (text) => parseYamlFields(text.slice(0, 16_000), 1),
  ],
  'core/callers/request-record.ts': [(text) => decodeTraceHeaders(text, text)],
  'core/reader-groups/reader-group-updates.ts': [readerGroupTitleProblem],
  'core/reader-groups/reader-groups.ts': [emailPartProblem],
  'core/base/spelling.ts': [
    (text) => closestName(text, ['articleId', 'categoryId', 'title']),
    (text) => editDistance(text, 'title'),
  ],
  'core/base/printable.ts': [toPrintable, toPrintableLines, toPrintableJson],
  'core/base/text.ts': [textProblem, idProblem, (text) => compareTexts(text, `${text}.`)],
  'service/merging/split-result.ts': [
    (text) => {
      const warnings = [{ description: text, code: null, extensionData: { text } }];
      splitResult([bulkUpdateOf(text)], ok({ ...NO_NOTICES, warnings, serviceErrors: [], outcomes: [] }));
    },
  ],
  'service/reads/paging.ts': [
    (text) => paginateArray([text], (id) => id, { limit: 10, after: Buffer.from(text).toString('base64url') }),
    (text) => paginateArray([text], (id) => id, { limit: 10, after: text }),
  ],
  'service/reads/readers.ts': [(text) => emailContainsText({ email: text }, 'example')],
  'cli/bulk-update/article-rows.ts': [
    (text) => parseCell('order', text),
    (text) => parseCell('title', text),
    parseColumns,
    unknownField,
  ],
  'cli/bulk-update/csv-rows.ts': [
    (text) => [...readCsvRows(Buffer.from(`articleId,title\n${text}`), new Map())],
    (text) => [...readCsvRows(Buffer.from(text), new Map())],
    (text) => Array.from(readCsvRows(Buffer.from(times(text.length / 8, (n) => `c${n}`, ',')), new Map())),
  ],
  'cli/bulk-update/input-rows.ts': [
    (text) => checkRows('the input', Buffer.from(text), { format: 'json', mapping: new Map() }),
    (text) =>
      checkRows('the input', Buffer.from(`[{"articleId":${JSON.stringify(text)}}${text}`), {
        format: 'json',
        mapping: new Map(),
      }),
    (text) => checkRows('the input', Buffer.from(text), { format: 'ndjson', mapping: new Map() }),
  ],
  'graphql/execution/operation-errors.ts': [
    (text) =>
      createBoundedErrors({ log: silentLog, suggestions: false }).requestErrors(
        [new GraphQLError(`Did you mean ${text}?`, { extensions: { text } })],
        'id',
      ),
  ],
  'store/facade/routes.ts': [(text) => matchPath(`/v2/Articles/${encodeURIComponent(text.toWellFormed())}/versions`)],
  'store/facade/route-handler.ts': [
    (text) => queryNumber(createQueryParams(new URLSearchParams(text)), 'a', { min: 0, max: 1, defaultValue: 0 }),
    (text) => queryNumber(new Map([['a', text]]), 'a', { min: 0, max: 1, defaultValue: 0 }),
  ],
  'core/base/media-types.ts': [negotiateGraphqlType, (text) => negotiateGraphqlType(`application/json;a="${text}`)],
  'server/http/requests/request-record.ts': [decodeCacheControl, (text) => decodeCacheControl(`max-age=${text}`)],
  'core/base/logger.ts': [
    (text) => formatPrettyLine({ time: '2026-01-01T00:00:00.000Z', level: 'info', message: text, fields: { text } }),
    (text) => formatJsonLine({ time: '2026-01-01T00:00:00.000Z', level: 'info', message: text, fields: { text } }),
  ],
  'graphql/schema/articles/articles.ts': [(text) => fromOrderedCursor(text, 'TITLE')],
  'graphql/schema/nodes.ts': [decodeGlobalId, (text) => decodeGlobalId(Buffer.from(text).toString('base64url'))],
  'graphql/schema/response-budget.ts': [(text) => jsonSizeOf([text], 10, (part) => JSON.stringify(part).length)],
  'graphql/schema/builder.ts': [(text) => dateTime && 'parseValue' in dateTime && dateTime.parseValue(text)],
  'core/writes/codec.ts': [decodeUpdate, (text) => decodeUpdate(JSON.stringify({ articleId: 'a', [text]: text }))],
  'service/v2/fields.ts': [lenientTime],
  'service/v2/rate-limit.ts': [(text) => decodeRateLimit({ 'x-ratelimit-reset': text, 'x-ratelimit-limit': text }, 0)],
};

/** Files whose expressions read no text of somebody else, or none longer than the 16 kB that a head may have. */
const WITHOUT_LONG_TEXTS: ReadonlySet<string> = new Set([
  'server/auth/client-auth.ts',
  // Titles of at most 300 characters.
  'store/writes/article-creations.ts',
  'service/read-cache/kept-responses.ts',
  // Settings.
  'core/base/no-proxy.ts',
  'server/http/requests/guards.ts',
  'service/calls/call-pipeline.ts',
  'service/calls/connection-failures.ts',
  'service/calls/foreign-answers.ts',
  'service/calls/service-client.ts',
  'server/process/access.ts',
  'cli/bulk-update/gateway-client.ts',
  'cli/bulk-update/job.ts',
  'cli/bulk-update/options.ts',
  'cli/command-line.ts',
  'cli/config-check.ts',
  'cli/commands.ts',
  'cli/dev-jwt.ts',
  'cli/knowledge-base/open-store.ts',
  'cli/knowledge-base/service-source.ts',
  'cli/serve-mcp.ts',
  'cli/new-files.ts',
  'cli/welcome.ts',
  'store/database/open-database.ts',
  'core/callers/caller.ts',
  'server/http/handlers/facade.ts',
  'server/http/handlers/graphiql.ts',
  'jobs/caller-keys.ts',
  'graphql/schema/schema.ts',
  'store/knowledge-base/file.ts',
  'store/knowledge-base/markdown-folder.ts',
  'jobs/state/state-file.ts',
]);

function hiddenTokens(): HiddenTokens {
  const tokens = new HiddenTokens();
  tokens.add('a token of a caller');
  return tokens;
}

const bulkUpdateOf = (articleId: string) => ({
  caller,
  updates: [{ articleId }],
  articleIds: [articleId],
  resolve: () => {},
  reject: () => {},
});

/** Texts that built-ins, expressions or parsers may treat specially, by what they are. */
const ATOMS = [
  ...['a', 'Z', '9', ' ', '\t', '\n', '\r\n', '\0', '-', '.', '_', '/', '\\', '%', '%25', '%_', '=', '+', '@', ':'],
  ...['"', '""', "'", '`', ',', ';', '[', '{', '}', ']', '{"a":', '\u2028', '\u200E', '\u202E', ' Did you mean '],
  // Marks of several classes, and characters that become several of them.
  ...['\u0300', '\u0315', '\u0323', '\u0334', '\u0345', '\u0344', '\u0591', '\u05B0', '\u064B', '\u0F73', '\u0F75'],
  ...[
    '\u0F77',
    '\u0F81',
    '\u0488',
    '\u09BE',
    '\u20DD',
    '\u3099',
    '\uFF9E',
    '\uFF9F',
    '\uFE0F',
    '\u{1D165}',
    '\u{1D16E}',
  ],
  ...['\u0390', '\u1F82', '\u{1D15E}', '\uFDFA', '\uFDFB', '\u3300', '\u2150', '\uFB01', '\u0130', '\u03A3', '\u00DF'],
  ...['\u1100', '\u1161', '\u11A8', '\uAC00', '\uD7A3', '\u6F22', '\u3042', '\u0915\u093F', '\u05D0', '\u0627'],
  ...['\uD83D', '\uDE00', '\u{1F600}', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', '\u{E0001}', '\u200B', '\u00AD'],
];

const LENGTH = 10_000;
const GROWTH = 4;

/** Most functions take less for the longer text, and are not measured again. */
const FEW_MS = 25;

/** Four times as long a text takes four times as long; quadratic time grows by 16. */
const MAX_RATIO = 9;
const MAX_MS = 400;

const textOf = (pattern: string, length: number): string =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);

/** The CPU time of this thread alone, so that the waiting for other processes does not count. */
async function timeOf(run: TextFunction, text: string): Promise<number> {
  const { user, system } = process.threadCpuUsage();
  try {
    await run(text);
  } catch (error) {
    // A refusal of the text, as a scalar makes it.
    if (!(error instanceof GraphQLError || error instanceof TypeError)) throw error;
  }
  const after = process.threadCpuUsage({ user, system });
  return (after.user + after.system) / 1_000;
}

async function leastTimeOf(run: TextFunction, text: string): Promise<number> {
  const times = [await timeOf(run, text), await timeOf(run, text), await timeOf(run, text)];
  return Math.min(...times);
}

/** A collection of garbage or another process may fall into all runs of one measurement, but not into this many. */
const MEASUREMENTS = 5;

/** Why the time of a function is not near-linear in the length of its text; null when one measurement says that it is. */
async function growthProblem(run: TextFunction, pattern: string): Promise<string | null> {
  let problem: string | null = null;
  for (let measurement = 0; measurement < MEASUREMENTS; measurement += 1) {
    problem = await measuredProblem(run, pattern);
    if (problem === null) return null;
  }
  return problem;
}

async function measuredProblem(run: TextFunction, pattern: string): Promise<string | null> {
  const long = textOf(pattern, GROWTH * LENGTH);
  if ((await timeOf(run, long)) < FEW_MS) return null;
  const ms = await leastTimeOf(run, long);
  if (ms < FEW_MS) return null;
  if (ms > MAX_MS) return `${Math.round(ms)} ms`;
  const shortMs = await leastTimeOf(run, textOf(pattern, LENGTH));
  return ms > MAX_RATIO * shortMs ? `${Math.round(shortMs)} ms, then ${Math.round(ms)} ms` : null;
}

describe.each(Object.entries(FUNCTIONS))('the functions of texts in %s', (_file, functions) => {
  it('take a time that is near-linear in the length, whatever is repeated', async () => {
    const pattern = fc.array(fc.constantFrom(...ATOMS), { minLength: 1, maxLength: 4 }).map((atoms) => atoms.join(''));
    const examples = ATOMS.map((atom): [string] => [atom]);
    await fc.assert(
      fc.asyncProperty(pattern, async (repeated) => {
        for (const run of functions) expect([repeated, await growthProblem(run, repeated)]).toEqual([repeated, null]);
      }),
      { seed: 33, numRuns: examples.length + 30, examples, endOnFailure: true },
    );
  });
});

describe('the words of a text', () => {
  it.each(['\u0300\u0323', '\uFF9E\u0591', '\uFDFA', '\uFDFA\u0591', '\u0344', '\u{1D15E}', 'a\u0323\u0591'])(
    'take little time and stay within their bounds for 200,000 characters of %j',
    async (pattern) => {
      const text = textOf(pattern, 200_000);
      expect(await leastTimeOf(indexedWordsOf, text)).toBeLessThan(MAX_MS);
      expect(Buffer.byteLength(indexedWordsOf(text))).toBeLessThanOrEqual(400_000);
    },
  );

  it('have at most 30 marks in a run, those of a search as those of an index', () => {
    const marks = '\u0591\u05B0'.repeat(60);
    expect(indexedWordsOf(`x${marks}y`)).toBe(`x${marks.slice(0, 30)}y`.normalize('NFC'));
    expect(parseSearchText(`x${marks}y`)).toEqual([{ text: indexedWordsOf(`x${marks}y`), isPrefix: true }]);
  });

  it('are the same as without the bounds for all other texts', () => {
    const plain = (text: string) =>
      text
        .normalize('NFKD')
        .replace(/[\u0300-\u036F]/gu, '')
        .toLowerCase()
        .normalize('NFC');
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(...ATOMS), fc.string({ unit: 'binary' })),
      maxLength: 100,
    });
    fc.assert(
      fc.property(text, fc.boolean(), (some, isLong) => {
        const whole = isLong ? textOf(`${some} `, 60_000) : some;
        if (cutMarks(whole) !== whole || whole.normalize('NFKD').length > 600_000) return;
        expect(indexedWordsOf(whole)).toBe(indexedWordsOf(plain(whole)));
      }),
      { seed: 33, numRuns: 300 },
    );
  });

  it('are of all of a text in Korean', () => {
    expect(indexedWordsOf(`${'\uD7A3'.repeat(190_000)} last`)).toMatch(/ last$/u);
    expect(indexedWordsOf(`${'\uFDFA'.repeat(190_000)} last`)).not.toMatch(/ last$/u);
  });

  it('know every character that begins with a mark once it is decomposed', () => {
    const unknown: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const decomposed = character.normalize('NFKD');
      const [first = ''] = decomposed;
      // A mark with a class is sorted before U+0345, which has the highest.
      const moves = first !== '\u0345' && !`a\u0345${first}`.normalize('NFD').startsWith('a\u0345');
      if (moves && cutMarks(character.repeat(31)) === character.repeat(31)) unknown.push(code.toString(16));
      expect(decomposed.length).toBeLessThanOrEqual(18 * character.length);
    }
    expect(unknown).toEqual([]);
  });
});

describe('the table of this test', () => {
  it('has each file that normalizes texts, or has an expression that repeats something', () => {
    const source = join(import.meta.dirname, '../../src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    // Settings and options are texts of the operator.
    const foreign = files.filter((file) => !/^(?:config|gateway|telemetry)\//u.test(file));
    const repeating = foreign.filter((file) => {
      const code = readFileSync(join(source, file), 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gmu, '');
      return /\.normalize\(|\/(?![/* ])[^\n]*(?:[+*]|\{\d+,\})[^\n]*\/[dgims]*[uv]\b/u.test(code);
    });
    const known = (file: string) => file in FUNCTIONS || WITHOUT_LONG_TEXTS.has(file);
    expect(repeating.filter((file) => !known(file))).toEqual([]);
    expect([...Object.keys(FUNCTIONS), ...WITHOUT_LONG_TEXTS].filter((file) => !files.includes(file))).toEqual([]);
  });
});
