import type { GraphQLSchema } from 'graphql';
import { textProblem } from '../../src/core/base/text.ts';
import type { Gateway, GraphQLAnswer } from '../support/gateway.ts';
import { checkResponse, type Verdict } from './check-response.ts';
import type { InputPosition } from './positions.ts';
import { READS, type withVariables } from './queries.ts';
import type { BadValue } from './values.ts';

/**
 * The longest document in characters, of up to four bytes each: longer ones are rejected as a whole
 * (`MAX_QUERY_BYTES`).
 */
const MAX_QUERY = 16_000;

/** Fields that accept any valid text, so that a rejection is wrong. */
const FREE_TEXT: ReadonlySet<unknown> = new Set(['content', 'description', 'source']);

export interface Target {
  readonly schema: GraphQLSchema;
  readonly gateway: Gateway;
  readonly write: typeof withVariables;
}

/** A caller has few jobs at one time. */
async function cancelJob(gateway: Gateway, { body }: GraphQLAnswer): Promise<void> {
  const data: { answer?: { job?: { id?: string } } | null } = { ...body.data };
  const id = data.answer?.job?.id;
  if (id === undefined) return;
  await gateway.send('mutation($id: ID!) { cancelArticleUpdateJob(id: $id) { __typename } }', { id });
  for (let isDone: unknown = false; isDone === false; ) {
    const job = (await gateway.send('query($id: ID!) { articleUpdateJob(id: $id) { done } }', { id })).body.data;
    isDone = Object(job?.['articleUpdateJob'])['done'];
  }
}

/** Sends one value at one position, and reads back an accepted one. */
export async function tryValue(
  { schema, gateway, write }: Target,
  position: InputPosition,
  { value }: BadValue,
): Promise<Verdict> {
  const { query, variables } = write(schema, position, value);
  const answer = await gateway.send(query, variables);
  await cancelJob(gateway, answer);
  const verdict = checkResponse(position, answer);
  const member = position.path.at(-1);
  if (
    verdict.kind === 'refused' &&
    query.length < MAX_QUERY &&
    FREE_TEXT.has(member) &&
    typeof value === 'string' &&
    textProblem(value) === null
  ) {
    return { kind: 'fault', why: 'a valid text was rejected' };
  }
  const read = READS[position.field];
  if (verdict.kind !== 'accepted' || read === undefined || value === null) return verdict;
  const { data } = (await gateway.send(read)).body;
  const back: { read?: Readonly<Record<string, unknown>> | null } = { ...data };
  const found = { ...back.read, categoryId: Object(back.read?.['category'])['categoryId'] };
  if (!Object.hasOwn(found, String(member)) || typeof member !== 'string') return verdict;
  const isSame = JSON.stringify(found[member as keyof typeof found]) === JSON.stringify(value);
  return isSame ? verdict : { kind: 'fault', why: `came back as ${JSON.stringify(found).slice(0, 200)}` };
}
