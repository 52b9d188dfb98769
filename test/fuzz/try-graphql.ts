import type { GraphQLSchema } from 'graphql';
import { textProblem } from '../../src/domain/text.ts';
import type { Gateway } from '../support/gateway.ts';
import { judge, type Verdict } from './judge.ts';
import { argumentsWith, type Place } from './places.ts';
import { documentOf, READS } from './queries.ts';
import type { BadValue } from './values.ts';

/** Fields that take any sound text: of these a refusal is a fault too. */
const FREE_TEXT: ReadonlySet<unknown> = new Set(['content', 'description', 'source']);

/** Sends one value at one place, and reads back what was accepted. */
export async function tryValue(
  { schema, gateway }: { readonly schema: GraphQLSchema; readonly gateway: Gateway },
  place: Place,
  { value }: BadValue,
): Promise<Verdict> {
  const answer = await gateway.send(documentOf(schema, place), argumentsWith(place, value));
  const verdict = judge(place, answer);
  const member = place.path.at(-1);
  if (verdict.kind === 'refused' && FREE_TEXT.has(member) && typeof value === 'string' && textProblem(value) === null) {
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
