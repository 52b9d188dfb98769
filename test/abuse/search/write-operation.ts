import type { Argument, FieldGene } from './fields.ts';
import { shorteningOf, toJson, type Value } from './values.ts';

export interface WrittenOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface OperationText {
  readonly operation: 'query' | 'mutation';
  readonly fields: readonly FieldGene[];
  /** True when one variable of a type is used for all arguments of that type. */
  readonly sharesVariables: boolean;
}

/** The limits of the gateway for one document: a larger one is rejected without further effect. */
const BUDGET: Budget = { aliases: 100, fields: 950 };
const MAX_ROOT_FIELDS = 50;
const MAX_DEPTH = 15;

interface Budget {
  readonly aliases: number;
  readonly fields: number;
}

/** The parts of the document that are written so far. */
interface WriteState {
  readonly sharesVariables: boolean;
  readonly names: Map<Argument | string, string>;
  readonly variables: Map<string, Argument>;
  readonly fragments: string[];
  aliases: number;
}

/** The name differs each time, so that the document is not in the cache. */
export function writeOperation({ operation, fields, sharesVariables }: OperationText, name: string): WrittenOperation {
  const state: WriteState = { sharesVariables, names: new Map(), variables: new Map(), fragments: [], aliases: 0 };
  const root = operation === 'query' ? 'Query' : 'Mutation';
  const selections = writeSet(state, { fields, parent: root, budget: BUDGET, depth: 1 });
  const definitions = [...state.variables].map(([variable, { type }]) => `$${variable}: ${type}`).join(', ');
  const head = definitions === '' ? name : `${name}(${definitions})`;
  const query = [`${operation} ${head} ${selections}`, ...state.fragments].join(' ');
  const shortening = shorteningOf([...state.variables.values()].map(({ value }) => value));
  const values = [...state.variables].map(([variable, { value }]) => [variable, toJson(value, shortening)] as const);
  return { query, variables: Object.fromEntries(values) };
}

interface SetToWrite {
  readonly fields: readonly FieldGene[];
  /** Null when the type is known only at execution. */
  readonly parent: string | null;
  readonly budget: Budget;
  readonly depth: number;
}

function writeSet(state: WriteState, { fields, parent, budget, depth }: SetToWrite): string {
  if (depth > MAX_DEPTH || fields.length === 0) return '{ __typename }';
  const share = { aliases: part(budget.aliases, fields.length), fields: part(budget.fields, fields.length) };
  const names = new Set<string>();
  const written = fields.map((field) => {
    const isNew = !names.has(field.name);
    names.add(field.name);
    return writeField(state, { field, isNew, parent, budget: share, depth });
  });
  return `{ ${written.join(' ')} }`;
}

const part = (amount: number, count: number): number => Math.floor(amount / Math.max(1, count));

interface FieldToWrite extends Omit<SetToWrite, 'fields'> {
  readonly field: FieldGene;
  /** True when no field before it in the selection has the same name. */
  readonly isNew: boolean;
}

function writeField(state: WriteState, { field, isNew, parent, budget, depth }: FieldToWrite): string {
  const wanted = isNew ? field.copies : Math.max(1, field.copies);
  const copies = Math.min(wanted, budget.aliases, depth === 1 ? MAX_ROOT_FIELDS : BUDGET.aliases);
  const isPlain = copies === 0;
  const repeats = isPlain ? Math.max(1, Math.min(field.repeats, part(budget.fields, 1 + field.subfields.length))) : 0;
  const subfields = {
    fields: field.subfields,
    parent: null,
    budget: { aliases: part(budget.aliases - copies, copies), fields: part(budget.fields, copies + repeats) },
    depth: depth + 1,
  };
  const args = field.args.map((arg) => `${arg.name}: ${writeValue(state, arg)}`).join(', ');
  const set = field.subfields.length === 0 ? '' : ` ${writeSet(state, subfields)}`;
  const call = `${field.name}${args && `(${args})`}${set}`;
  const aliased = Array.from({ length: copies }, () => `a${state.aliases++}: ${call}`);
  return writeAs(state, field, { text: [...aliased, ...Array(repeats).fill(call)].join(' '), parent });
}

interface WrittenField {
  readonly text: string;
  readonly parent: string | null;
}

function writeAs(
  state: WriteState,
  { writtenAs: how, on, directives }: FieldGene,
  { text, parent }: WrittenField,
): string {
  const include =
    ' @include(if: true)'.repeat(Math.min(1, directives)) + ' @skip(if: false)'.repeat(Math.min(1, directives));
  const type = on ?? parent;
  if (how === 'fragment' && type !== null) {
    const name = `F${state.fragments.length}`;
    state.fragments.push(`fragment ${name} on ${type} { ${text} }`);
    return `...${name}${include}`;
  }
  if (on !== null) return `... on ${on}${include} { ${text} }`;
  return how === 'plain' ? text : `...${include} { ${text} }`;
}

/** Short values are literals, others variables. */
function writeValue(state: WriteState, arg: Argument): string {
  const literal = writeLiteral(arg.value);
  if (literal !== null) return literal;
  const key = state.sharesVariables ? arg.type : arg;
  const known = state.names.get(key);
  if (known !== undefined) return `$${known}`;
  const name = `v${state.names.size}`;
  state.names.set(key, name);
  state.variables.set(name, arg);
  return `$${name}`;
}

function writeLiteral(value: Value): string | null {
  if (value.kind === 'plain') return `${value.value}`;
  if (value.kind === 'enum') return value.name;
  return value.kind === 'known' ? JSON.stringify(value.text) : null;
}
