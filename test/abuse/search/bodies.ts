import type { AbuseRequest } from '../measure/request.ts';
import type { SchemaContext } from './fields.ts';
import { createTransport, headersOf, type Transport } from './operations.ts';
import { chance, magnitude, pick, randomIndex } from './random.ts';

/** A body that repeats one pattern of GraphQL, of JSON, or of neither. */
export interface BodyGenome {
  readonly kind: 'body';
  readonly frame: number;
  readonly pattern: number;
  readonly count: number;
  readonly isClosed: boolean;
  readonly transport: Transport;
}

/** The texts before and after the pattern. */
const FRAMES: readonly (readonly [before: string, behind: string])[] = [
  ['', ''],
  ['{"query":"{ __typename }","variables":', '}'],
  ['{"query":"{ __typename }","variables":{"a":', '}}'],
  ['{"query":"{ __typename }","extensions":{"a":', '}}'],
  ['{"query":"{ __typename }","operationName":"', '"}'],
  ['{"query":"query ($a: ID) { node(id: $a) { id } }","variables":{"a":"', '"}}'],
  ['{"query":"', '"}'],
  ['{"query":"{ ', ' }"}'],
  ['{"query":"{ __schema { types { ', ' } } }"}'],
  ['{"query":"query ', ' { __typename }"}'],
  ['{"query":"query (', ') { __typename }"}'],
  ['{"query":"{ node(id: ', ') { id } }"}'],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":', '}}'],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_articles","arguments":{"text":"', '"}}}'],
];

/** The clients of MCP accept both. */
const MCP = { path: '/mcp', accept: 'application/json, text/event-stream' };

const PATTERNS: readonly (readonly [pattern: string, close: string])[] = [
  ['[', ']'],
  ['{"a":', '}'],
  ['[1,', '1]'],
  ['1,', ''],
  ['[],', ''],
  ['{},', ''],
  ['{"a":{}},', ''],
  ['"a",', ''],
  ['"k":1,', ''],
  ['"', ''],
  ['\\\\', ''],
  ['\\ud800', ''],
  [' ', ''],
  ['#\\n', ''],
  ['a ', ''],
  ['a{', '}'],
  ['{', '}'],
  ['a(a:[', '])'],
  ['...F ', ''],
  ['... on Query {', '}'],
  ['@include(if: true) ', ''],
  ['$a: ID ', ''],
  ['fields { type { ', '} }'],
  ['ofType { name ', '}'],
  ['readerGroop ', ''],
  ['{a:', '}'],
  ['\\"\\"\\"', ''],
  ['9', ''],
  ['é', ''],
  [' Did you mean ', ''],
];

const MAX_BYTES = 10_000_000;

export const createBody = (context: SchemaContext): BodyGenome => ({
  kind: 'body',
  frame: randomIndex(context.random, FRAMES.length),
  pattern: randomIndex(context.random, PATTERNS.length),
  count: magnitude(context.random, chance(context.random, 0.2) ? MAX_BYTES : 20_000),
  isClosed: chance(context.random, 0.7),
  transport: createPost(context),
});

const createPost = (context: SchemaContext): Transport => ({
  ...createTransport(context),
  method: 'POST',
  ...(chance(context.random, 0.2) && MCP),
});

export function mutateBody(context: SchemaContext, genome: BodyGenome): BodyGenome {
  const { random } = context;
  const count = Math.max(1, Math.round(genome.count * 4 ** (2 * random() - 1)));
  return pick<BodyGenome>(random, [
    { ...genome, count },
    { ...genome, count },
    { ...genome, isClosed: !genome.isClosed },
    { ...genome, frame: randomIndex(random, FRAMES.length) },
    { ...genome, pattern: randomIndex(random, PATTERNS.length) },
    { ...genome, transport: createPost(context) },
  ]);
}

export function requestOfBody({ frame, pattern, count, isClosed, transport }: BodyGenome, name: string): AbuseRequest {
  const [before = '', behind = ''] = FRAMES[frame] ?? [];
  const [text = '', close = ''] = PATTERNS[pattern] ?? [];
  const length = text.length + (isClosed ? close.length : 0);
  const times = Math.max(1, Math.min(count, Math.floor((MAX_BYTES - 1_000) / length)));
  // The comment makes every document different.
  const head = before.startsWith('{"query":"') ? before.replace('{"query":"', `{"query":"#${name}\\n`) : before;
  const body = `${head}${text.repeat(times)}${isClosed ? close.repeat(times) : ''}${behind}`;
  return { method: 'POST', path: transport.path, headers: headersOf(transport), body };
}

export const labelOfBody = ({ frame, pattern }: BodyGenome): string =>
  `${FRAMES[frame]?.[0].replace('{"query":"', '') ?? ''}${PATTERNS[pattern]?.[0] ?? ''}`;
