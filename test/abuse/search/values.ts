import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Random } from '../mutants.ts';
import type { KnownIds } from '../targets/targets.ts';
import { chance, magnitude, pick, randomIndex, replaced } from './random.ts';
import { createText, type LongText, mutateText, writeText } from './texts.ts';

/** A compact description of the value of an argument, however long it is. */
export type Value =
  | { readonly kind: 'text'; readonly text: LongText }
  /** The ID of an item that exists. */
  | { readonly kind: 'known'; readonly text: string }
  /** A JSON value without parts: a number, a boolean or null. */
  | { readonly kind: 'plain'; readonly value: number | boolean | null }
  | { readonly kind: 'enum'; readonly name: string }
  | { readonly kind: 'list'; readonly count: number; readonly item: Value; readonly areDistinct: boolean }
  | { readonly kind: 'object'; readonly members: readonly Member[] };

export type Member = readonly [name: string, value: Value];

/** The inputs from which values are generated. */
export interface ValueContext {
  readonly random: Random;
  readonly ids: KnownIds;
}

const MAX_ITEMS = 50_000;

const NUMBERS = [0, 1, 2, 5, 20, 50, 100, 100, 100, 101, -1, 2_147_483_647, -2_147_483_648, 1e300];

/** A value for an argument or member of this name, mostly a valid one. */
export function createValue(context: ValueContext, name: string, type: GraphQLInputType): Value {
  const { random } = context;
  if (chance(random, 0.02)) return createMisfit(random);
  if (isNonNullType(type)) return createValue(context, name, type.ofType);
  if (chance(random, 0.02)) return { kind: 'plain', value: null };
  if (isListType(type)) {
    const item = createValue(context, name, type.ofType);
    const count = magnitude(random, chance(random, 0.2) ? MAX_ITEMS : 100);
    return { kind: 'list', count, item, areDistinct: chance(random, 0.5) };
  }
  if (isEnumType(type)) return { kind: 'enum', name: pick(random, type.getValues()).name };
  if (isInputObjectType(type)) return { kind: 'object', members: createMembers(context, type) };
  if (type.name === 'Int') return { kind: 'plain', value: pick(random, NUMBERS) };
  if (type.name === 'Boolean') return { kind: 'plain', value: chance(random, 0.5) };
  const known = knownFor(name, context.ids);
  if (known.length > 0 && chance(random, 0.7)) return { kind: 'known', text: pick(random, known) };
  return { kind: 'text', text: createText(random) };
}

function createMembers(context: ValueContext, type: GraphQLInputObjectType): readonly Member[] {
  const fields = Object.values(type.getFields());
  const chosen = type.isOneOf
    ? [pick(context.random, fields)]
    : fields.filter((field) => isNonNullType(field.type) || chance(context.random, 0.3));
  return chosen.map((field) => [field.name, createValue(context, field.name, field.type)]);
}

/** A value of a wrong type. */
function createMisfit(random: Random): Value {
  const item: Value = pick<Value>(random, [
    { kind: 'text', text: createText(random) },
    { kind: 'plain', value: 1 },
    { kind: 'object', members: [] },
    { kind: 'object', members: [['a', { kind: 'text', text: createText(random) }]] },
  ]);
  return chance(random, 0.5) ? item : { kind: 'list', count: magnitude(random, MAX_ITEMS), item, areDistinct: true };
}

/** IDs by the name of the argument. A global ID and a cursor consist of the parts that the gateway gives them. */
function knownFor(name: string, ids: KnownIds): readonly string[] {
  const base64url = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  if (/projectVersion/iu.test(name)) return ids.projectVersions;
  if (/languageCode/iu.test(name)) return ids.languages;
  if (/category/iu.test(name)) return ids.categories;
  if (/article/iu.test(name)) return ids.articles;
  if (/group/iu.test(name)) return ids.groups;
  if (/reader/iu.test(name)) return ids.readers;
  if (/invited/iu.test(name)) return ids.invited;
  if (/^ids?$/u.test(name)) {
    return [
      ...ids.groups.map((id) => base64url('ReaderGroup', id)),
      ...ids.articles.slice(0, 20).map((id) => base64url('Article', id, ids.languages[0])),
      ...ids.readers.slice(0, 20).map((id) => base64url('Reader', id)),
      ...ids.categories.slice(0, 20).map((id) => base64url('Category', id, ids.languages[0])),
    ];
  }
  if (name === 'after')
    return [Buffer.from(`0:${ids.groups[0]}`).toString('base64url'), base64url(ids.groups[0]), base64url(1)];
  return name === 'emailContains' ? ['e', 'reader', '@', '', 'hang'] : [];
}

export function mutateValue({ random }: ValueContext, value: Value): Value {
  switch (value.kind) {
    case 'text':
      return { kind: 'text', text: mutateText(random, value.text) };
    case 'known':
      return chance(random, 0.2) ? { kind: 'text', text: createText(random) } : value;
    case 'plain':
      return typeof value.value === 'number' ? { kind: 'plain', value: pick(random, NUMBERS) } : value;
    case 'enum':
      return value;
    case 'list': {
      if (chance(random, 0.3)) return { ...value, item: mutateValue({ random, ids: NO_IDS }, value.item) };
      const count = Math.max(1, Math.min(MAX_ITEMS, Math.round(value.count * 4 ** (2 * random() - 1))));
      return { ...value, count, areDistinct: chance(random, 0.2) ? !value.areDistinct : value.areDistinct };
    }
    case 'object': {
      const index = randomIndex(random, value.members.length);
      const member = value.members[index];
      if (!member) return value;
      const changed: Member = [member[0], mutateValue({ random, ids: NO_IDS }, member[1])];
      return { kind: 'object', members: replaced(value.members, index, changed) };
    }
  }
}

/** A mutation uses no IDs. */
const NO_IDS: KnownIds = {
  projectVersions: [],
  languages: [],
  categories: [],
  articles: [],
  groups: [],
  readers: [],
  invited: [],
};

/** The most bytes of all values together: a body may have 10 MB. */
const MAX_BYTES = 9_900_000;

/** The factor by which texts and lists are shortened, so that all values together fit into a body. */
export const shorteningOf = (values: readonly Value[]): number =>
  Math.min(1, MAX_BYTES / values.reduce((sum, value) => sum + sizeOf(value), 1));

interface Writing {
  readonly shortening: number;
  /** The suffix of each text in a list of distinct items. */
  readonly suffix: string;
}

/** Converts the value to JSON. */
export function toJson(value: Value, shortening: number): unknown {
  return write(value, { shortening, suffix: '' });
}

function write(value: Value, { shortening, suffix }: Writing): unknown {
  switch (value.kind) {
    case 'text':
      return `${writeText({ ...value.text, length: Math.ceil(value.text.length * shortening) })}${suffix}`;
    case 'known':
      return `${value.text}${suffix}`;
    case 'plain':
      return value.value;
    case 'enum':
      return value.name;
    case 'list': {
      const length = Math.max(1, Math.floor(value.count * Math.sqrt(shortening)));
      // The items take what the shorter list has left: a list of one item cannot become shorter.
      const rest = Math.min(1, (shortening * value.count) / length);
      return Array.from({ length }, (_, index) =>
        write(value.item, { shortening: rest, suffix: value.areDistinct ? `${index}` : suffix }),
      );
    }
    case 'object':
      return Object.fromEntries(value.members.map(([name, member]) => [name, write(member, { shortening, suffix })]));
  }
}

/** The approximate number of bytes in JSON. */
function sizeOf(value: Value): number {
  switch (value.kind) {
    case 'text':
      return value.text.length * bytesOfOne(value.text);
    case 'known':
      return value.text.length + 2;
    case 'plain':
    case 'enum':
      return 8;
    case 'list':
      return value.count * (sizeOf(value.item) + 8);
    case 'object':
      return value.members.reduce((sum, [name, member]) => sum + name.length + 4 + sizeOf(member), 2);
  }
}

/** The bytes of one character of the text in JSON. */
const bytesOfOne = ({ pattern, isBase64 }: LongText): number =>
  isBase64 ? 1 : (Buffer.byteLength(JSON.stringify(pattern)) - 2) / pattern.length;
