import { TOKEN } from '../support/fixture-store.ts';
import type { Gateway } from '../support/gateway.ts';
import type { Verdict } from './check-response.ts';
import { checkV2Response, type V2Answer } from './check-v2-response.ts';
import { BULK, BULK_CREATE, CREATE, GROUP_OF, requestWith, type V2Position, type V2Request } from './v2.ts';
import type { BadValue } from './values.ts';

/** The addresses that read back what was written, under the same names. */
const READS: Readonly<Record<string, string>> = {
  [BULK]: '/v2/Articles/a1/en?isPublished=false',
  [GROUP_OF]: GROUP_OF,
};

/**
 * Members that a read returns as they were written. An `order` of 0 means that none is set: see docs/contract.md,
 * "Store bulk update".
 */
const READ_BACK: ReadonlySet<unknown> = new Set([
  ...['title', 'content', 'hidden', 'order', 'category_id'],
  ...['description', 'associated_readers', 'associated_invited_sso_users'],
]);

/** Sends one value at one position, and reads back an accepted one. Null when the position cannot hold the value. */
export async function tryV2Value(gateway: Gateway, position: V2Position, bad: BadValue): Promise<Verdict | null> {
  const request = requestWith(position, bad);
  if (request === null) return null;
  const verdict = checkV2Response(position, await send(gateway, request));
  const member = position.kind === 'body' ? position.path.at(-1) : undefined;
  const read = READS[position.route];
  const isWritten = verdict.kind === 'accepted' && READ_BACK.has(member) && bad.value !== null;
  if (!isWritten || read === undefined || (member === 'order' && bad.value === 0)) return verdict;
  const { text } = await send(gateway, { address: read, body: undefined });
  const { data, result }: { data?: object; result?: object } = JSON.parse(text);
  const found = Object.entries({ ...data, ...result }).find(([name]) => name === member)?.[1];
  const isSame = JSON.stringify(found) === JSON.stringify(bad.value);
  return isSame ? verdict : { kind: 'fault', why: `came back as ${JSON.stringify(found).slice(0, 200)}` };
}

const POSTED: ReadonlySet<string> = new Set([CREATE, BULK_CREATE]);

async function send({ url }: Gateway, { address, body }: V2Request): Promise<V2Answer> {
  const headers = { api_token: TOKEN, 'content-type': 'application/json' };
  const init =
    body === undefined
      ? { headers }
      : { method: POSTED.has(address) ? 'POST' : 'PUT', headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}${address}`, init);
  return { status: response.status, text: await response.text() };
}
