import { gzipSync } from 'node:zlib';
import { type Behaviour, envelope, gzipBomb, json, type Received, status } from '../support/faulty-service.ts';
import { expecting, type Fault, UNKNOWN, updated } from './fault.ts';
import { goodAnswer, isOfCreates, item } from './good-service.ts';

const MB = 1024 * 1024;

const unknown = (name: string, behaviour: Behaviour): Fault => ({
  name,
  behaviour: () => behaviour,
  expected: UNKNOWN,
});

const bytes =
  (body: Uint8Array, encoding = 'identity'): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);
  };

/** The correct response, transformed. */
const transformed =
  (make: (answer: unknown, request: Received) => string | Uint8Array, encoding = 'identity'): Behaviour =>
  (response, request) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(make(goodAnswer(request), request));
  };

const gzipped = (answer: unknown) => gzipSync(JSON.stringify(answer));

/** Responses from which no outcome can be concluded, for any call. */
const UNREADABLE: readonly Fault[] = [
  unknown('empty 200', status(200)),
  unknown('204', status(204)),
  unknown('HTML with 200', status(200, '<html>Welcome</html>')),
  unknown(
    'truncated JSON',
    transformed((answer) => JSON.stringify(answer).slice(0, -5)),
  ),
  unknown(
    'JSON with a tail',
    transformed((answer) => `${JSON.stringify(answer)}]`),
  ),
  unknown(
    'JSON in quotes',
    transformed((answer) => JSON.stringify(JSON.stringify(answer))),
  ),
  unknown('bytes that are no UTF-8', bytes(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))),
  unknown(
    'UTF-16',
    transformed((answer) => Buffer.from(JSON.stringify(answer), 'utf16le')),
  ),
  unknown('lists 100,000 deep', bytes(Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)))),
  unknown('objects 100,000 deep', bytes(Buffer.from('{"data":'.repeat(100_000).concat('1', '}'.repeat(100_000))))),
  unknown('11 MB', bytes(Buffer.alloc(11 * MB, ' '))),
  unknown('gzip bomb of 20 MB', gzipBomb(20 * MB)),
  unknown('gzip bomb in a gzip bomb', bytes(gzipSync(gzipSync(Buffer.alloc(20 * MB))), 'gzip, gzip')),
  unknown(
    'gzip cut short',
    transformed((answer) => gzipped(answer).subarray(0, -12), 'gzip'),
  ),
  unknown(
    'gzip that is none',
    transformed((answer) => JSON.stringify(answer), 'gzip'),
  ),
  unknown(
    'brotli that was not requested',
    transformed((answer) => JSON.stringify(answer), 'br'),
  ),
  {
    name: 'a label that is no coding',
    behaviour: () => transformed((answer) => JSON.stringify(answer), 'sesame'),
    expected: updated(),
  },
  unknown('success that is a text', json(200, { success: 'true', data: [] })),
  unknown('errors that are a text', json(200, { success: true, errors: 'none' })),
];

const CREATED = [
  { outcome: 'created 1', calls: 1 },
  { outcome: 'created 6', calls: 3 },
];

/** Transforms the items of the response to a bulk update; other writes succeed. */
const items = (
  name: string,
  make: (items: readonly unknown[]) => unknown,
  outcomes: readonly [string, string],
): Fault => ({
  name,
  behaviour: () => (response, request) => {
    const { body } = request;
    const answer =
      Array.isArray(body) && !isOfCreates(request)
        ? envelope(make(body.map(({ article_id }) => item(article_id))))
        : goodAnswer(request);
    return json(200, answer)(response, request);
  },
  expected: expecting(
    [outcomes[0], outcomes[1], 'updated', 'updated'],
    [1, outcomes[1].includes('not') ? 2 : 3, 1, 2],
    CREATED,
  ),
});

const ALL_UNKNOWN = ['unknown 1', 'updated 2, unknown 2, not attempted 2'] as const;
const THEN_ON = ['unknown 1', 'updated 2, unknown 2, updated 2'] as const;
const FAILED = ['failed 1', 'updated 2, failed 2, updated 2'] as const;

const ITEMS: readonly Fault[] = [
  items('no items', () => [], ALL_UNKNOWN),
  items('items that are null', () => null, ALL_UNKNOWN),
  items('items that are a text', () => 'done', ALL_UNKNOWN),
  items('items that are an object', (all) => ({ ...all }), ALL_UNKNOWN),
  items('items that are numbers', (all) => all.map((_, index) => index), THEN_ON),
  items('items without IDs that say nothing', (all) => all.map(() => ({})), THEN_ON),
  items('items of other articles', (all) => all.map((_, index) => item(`b${index}`)), THEN_ON),
  items(
    'success of an item that is a text',
    (all) => all.map((one) => Object.assign({}, one, { success: 'true' })),
    THEN_ON,
  ),
  items(
    'success of an item that is missing',
    (all) => all.map((one) => Object.assign({}, one, { success: undefined })),
    THEN_ON,
  ),
  items('every item failed', (all) => all.map((one) => Object.assign({}, one, { success: false })), FAILED),
  items('an item missing', (all) => all.slice(1), ['unknown 1', 'updated 2, unknown 1, updated 3']),
  items('an item too many', (all) => [...all, item('b9')], ['updated 1', 'updated 6']),
  items('items in another order', (all) => [...all].reverse(), ['updated 1', 'updated 6']),
  items('an item twice', (all) => [...all, ...all.slice(0, 1)], ['updated 1', 'updated 6']),
  items(
    'items twice, failed the second time',
    (all) => [...all, ...all.map((one) => Object.assign({}, one, { success: false }))],
    THEN_ON,
  ),
];

/** Envelopes with duplicate or dangerous keys, as text. */
const envelopeText = (name: string, make: (answer: unknown) => string, expected: Fault['expected']): Fault => ({
  name,
  behaviour: () => transformed(make),
  expected,
});

const TEXTS: readonly Fault[] = [
  envelopeText('byte order mark', (answer) => `\uFEFF${JSON.stringify(answer)}`, updated()),
  envelopeText(
    'success twice, false last',
    (answer) => JSON.stringify(answer).replace(/\}$/u, ',"success":false}'),
    // The last key counts, as in every JSON parser. Items of a list have outcomes of their own; a single create has none.
    expecting(
      ['updated 1', 'updated 6', 'ServiceRejectedError', 'updated'],
      [1, 3, 1, 2],
      [
        { outcome: 'unknown 1', calls: 2 },
        { outcome: 'created 6', calls: 3 },
      ],
    ),
  ),
  envelopeText(
    '__proto__ as a key',
    (answer) => JSON.stringify(answer).replace('{', '{"__proto__":{"success":false},'),
    updated(),
  ),
  envelopeText(
    'a thousand unknown keys',
    (answer) => JSON.stringify(answer).replace('{', `{${'"x":1,'.repeat(1_000)}`),
    updated(),
  ),
];

export const ANSWERS: readonly Fault[] = [...UNREADABLE, ...ITEMS, ...TEXTS];
