import type { Argument, FieldGene } from './fields.ts';
import { shorteningOf, toJson, type Value } from './values.ts';

export interface WrittenOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface OperationText {
  readonly operation: 'query' | 'mutation';
  readonly fields: readonly FieldGene[];
  /** Whether one variable of a type stands for all arguments of that type. */
  readonly sharesVariables: boolean;
}

/** What the gateway permits in one document: beyond it everything is refused alike, and nothing is learned. */
const BUDGET: Budget = { aliases: 100, fields: 950 };
const MOST_ROOT_FIELDS = 50;
const MOST_DEPTH = 15;

interface Budget {
  readonly aliases: number;
  readonly fields: number;
}

/** The sheet that an operation is written on. */
interface Sheet {
  readonly sharesVariables: boolean;
  readonly names: Map<Argument | string, string>;
  readonly variables: Map<string, Argument>;
  readonly fragments: string[];
  aliases: number;
}

/** The name is new each time, so that no document is known already. */
export function writeOperation({ operation, fields, sharesVariables }: OperationText, name: string): WrittenOperation {
  const sheet: Sheet = { sharesVariables, names: new Map(), variables: new Map(), fragments: [], aliases: 0 };
  const root = operation === 'query' ? 'Query' : 'Mutation';
  const selections = writeSet(sheet, { fields, parent: root, budget: BUDGET, depth: 1 });
  const definitions = [...sheet.variables].map(([variable, { type }]) => `$${variable}: ${type}`).join(', ');
  const head = definitions === '' ? name : `${name}(${definitions})`;
  const query = [`${operation} ${head} ${selections}`, ...sheet.fragments].join(' ');
  const shortening = shorteningOf([...sheet.variables.values()].map(({ value }) => value));
  const values = [...sheet.variables].map(([variable, { value }]) => [variable, toJson(value, shortening)] as const);
  return { query, variables: Object.fromEntries(values) };
}

interface SetToWrite {
  readonly fields: readonly FieldGene[];
  /** Null where it is only known when it runs. */
  readonly parent: string | null;
  readonly budget: Budget;
  readonly depth: number;
}

function writeSet(sheet: Sheet, { fields, parent, budget, depth }: SetToWrite): string {
  if (depth > MOST_DEPTH || fields.length === 0) return '{ __typename }';
  const share = { aliases: part(budget.aliases, fields.length), fields: part(budget.fields, fields.length) };
  const names = new Set<string>();
  const written = fields.map((field) => {
    const isNew = !names.has(field.name);
    names.add(field.name);
    return writeField(sheet, { field, isNew, parent, budget: share, depth });
  });
  return `{ ${written.join(' ')} }`;
}

const part = (amount: number, count: number): number => Math.floor(amount / Math.max(1, count));

interface FieldToWrite extends Omit<SetToWrite, 'fields'> {
  readonly field: FieldGene;
  /** Whether no other field beside it has the name. */
  readonly isNew: boolean;
}

function writeField(sheet: Sheet, { field, isNew, parent, budget, depth }: FieldToWrite): string {
  const wanted = isNew ? field.copies : Math.max(1, field.copies);
  const copies = Math.min(wanted, budget.aliases, depth === 1 ? MOST_ROOT_FIELDS : BUDGET.aliases);
  const isPlain = copies === 0;
  const repeats = isPlain ? Math.max(1, Math.min(field.repeats, part(budget.fields, 1 + field.below.length))) : 0;
  const below = {
    fields: field.below,
    parent: null,
    budget: { aliases: part(budget.aliases - copies, copies), fields: part(budget.fields, copies + repeats) },
    depth: depth + 1,
  };
  const args = field.args.map((arg) => `${arg.name}: ${writeValue(sheet, arg)}`).join(', ');
  const set = field.below.length === 0 ? '' : ` ${writeSet(sheet, below)}`;
  const call = `${field.name}${args && `(${args})`}${set}`;
  const aliased = Array.from({ length: copies }, () => `a${sheet.aliases++}: ${call}`);
  return writeAs(sheet, field, { text: [...aliased, ...Array(repeats).fill(call)].join(' '), parent });
}

interface Dressed {
  readonly text: string;
  readonly parent: string | null;
}

function writeAs(sheet: Sheet, { writtenAs: how, on, directives }: FieldGene, { text, parent }: Dressed): string {
  const include =
    ' @include(if: true)'.repeat(Math.min(1, directives)) + ' @skip(if: false)'.repeat(Math.min(1, directives));
  const type = on ?? parent;
  if (how === 'fragment' && type !== null) {
    const name = `F${sheet.fragments.length}`;
    sheet.fragments.push(`fragment ${name} on ${type} { ${text} }`);
    return `...${name}${include}`;
  }
  if (on !== null) return `... on ${on}${include} { ${text} }`;
  return how === 'plain' ? text : `...${include} { ${text} }`;
}

/** Short values stand where they are, others in variables. */
function writeValue(sheet: Sheet, arg: Argument): string {
  const literal = writeLiteral(arg.value);
  if (literal !== null) return literal;
  const key = sheet.sharesVariables ? arg.type : arg;
  const known = sheet.names.get(key);
  if (known !== undefined) return `$${known}`;
  const name = `v${sheet.names.size}`;
  sheet.names.set(key, name);
  sheet.variables.set(name, arg);
  return `$${name}`;
}

function writeLiteral(value: Value): string | null {
  if (value.kind === 'plain') return `${value.value}`;
  if (value.kind === 'enum') return value.name;
  return value.kind === 'known' ? JSON.stringify(value.text) : null;
}
