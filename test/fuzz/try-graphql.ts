import type { GraphQLSchema } from 'graphql';
import { textProblem } from '../../src/domain/text.ts';
import type { Gateway } from '../support/gateway.ts';
import { judge, type Verdict } from './check-response.ts';
import type { Place } from './positions.ts';
import { READS, type withVariables } from './queries.ts';
import type { BadValue } from './values.ts';

/** Documents of more bytes are refused as a whole (`MAX_QUERY_BYTES`); here of characters, of which each may be four. */
const MAX_QUERY = 16_000;

/** Fields that take any sound text: of these a refusal is a fault too. */
const FREE_TEXT: ReadonlySet<unknown> = new Set(['content', 'description', 'source']);

export interface Target {
  readonly schema: GraphQLSchema;
  readonly gateway: Gateway;
  readonly write: typeof withVariables;
}

/** Sends one value at one place, and reads back what was accepted. */
export async function tryValue(
  { schema, gateway, write }: Target,
  place: Place,
  { value }: BadValue,
): Promise<Verdict> {
  const { query, variables } = write(schema, place, value);
  const verdict = judge(place, await gateway.send(query, variables));
  const member = place.path.at(-1);
  if (
    verdict.kind === 'refused' &&
    query.length < MAX_QUERY &&
    FREE_TEXT.has(member) &&
    typeof value === 'string' &&
    textProblem(value) === null
  ) {
    return { kind: 'fault', why: 'a sound text was refused' };
  }
  const read = READS[place.field];
  if (verdict.kind !== 'accepted' || read === undefined || value === null) return verdict;
  const { data } = (await gateway.send(read)).body;
  const back: { read?: Readonly<Record<string, unknown>> | null } = { ...data };
  const found = { ...back.read, categoryId: Object(back.read?.['category'])['categoryId'] };
  if (!Object.hasOwn(found, String(member)) || typeof member !== 'string') return verdict;
  const isSame = JSON.stringify(found[member as keyof typeof found]) === JSON.stringify(value);
  return isSame ? verdict : { kind: 'fault', why: `came back as ${JSON.stringify(found).slice(0, 200)}` };
}
