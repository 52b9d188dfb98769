import fc from 'fast-check';
import {
  buildSchema,
  type ExecutionResult,
  execute,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  responsePathAsArray,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { EventLoopYield } from '../../../src/execution/cooperative-scheduler.ts';
import { executePlan } from '../../../src/execution/executor/execute.ts';
import type { OperationPlan } from '../../../src/execution/executor/execution-context.ts';
import { createPreparation } from '../../../src/execution/executor/prepare.ts';
import { ResponseBudget } from '../../../src/schema/response-budget.ts';

const FIELDS = `
  id: ID! count: Int colour: Colour text(of: String = "nothing", times: Int, must: Int! = 7): String
  firm(must: Int!): String
  one: Thing sure: Thing! many: [Thing] all: [Thing!]! grid: [[Int!]]
  named: Named either: Either! eithers: [Either!]
`;

const schema = buildSchema(`
  type Query { ${FIELDS} }
  type Mutation { ${FIELDS} }
  interface Named { id: ID! named: Named }
  type Thing implements Named { ${FIELDS} }
  type Being implements Named { ${FIELDS} }
  union Either = Thing | Being
  enum Colour { RED GREEN }
`);

/** A number below `below`, always the same one for a seed and a place. */
function chance(seed: number, place: string, below: number): number {
  let hash = seed >>> 0;
  for (const character of place) hash = Math.imul(hash ^ character.charCodeAt(0), 0x5bd1e995) ^ (hash >>> 13);
  return Math.abs(hash ^ (hash >>> 15)) % below;
}

const LIMITS = { maxAnswerFields: 1_000_000, maxAnswerText: 1_000_000 };

interface World {
  readonly budget: ResponseBudget;
  readonly writes: 0;
  readonly seed: number;
  /** What was asked for, in its order. */
  readonly asked: string[];
}

/** What a resolver gives: values, errors, nothing, what is of another type, and promises of each. */
function given(type: GraphQLOutputType, { seed, budget }: World, place: string): unknown {
  const luck = chance(seed, place, 60);
  if (luck === 0) throw new Error(`thrown at ${place}`);
  if (luck === 1) throw `thrown at ${place}`;
  if (luck === 2) return new Error(`given at ${place}`);
  if (luck < 6) return luck === 3 ? undefined : null;
  if (luck === 6) return { neither: 'this', nor: 'that' };
  if (luck < 30) return later(luck % 4, () => plainValue(type, { budget, writes: 0, seed, asked: [] }, place));
  return plainValue(type, { budget, writes: 0, seed, asked: [] }, place);
}

async function later<T>(turns: number, value: () => T): Promise<T> {
  for (let turn = 0; turn < turns; turn++) await undefined;
  return value();
}

function plainValue(type: GraphQLOutputType, world: World, place: string): unknown {
  if (isNonNullType(type)) return plainValue(type.ofType, world, place);
  if (isListType(type)) {
    const items = Array.from({ length: chance(world.seed, `${place}#`, 4) }, (_, index) =>
      itemOf(type.ofType, world, `${place}.${index}`),
    );
    return chance(world.seed, `${place}#kind`, 5) === 0 ? new Set(items) : items;
  }
  const { name } = getNamedType(type);
  const luck = chance(world.seed, `${place}#value`, 20);
  if (name === 'Int') return luck;
  if (name === 'Colour') return luck === 0 ? 'BLUE' : 'RED';
  return name === 'ID' || name === 'String' ? `${luck}` : { luck };
}

/**
 * Where null may not be, all items are promises: of one that fails at once graphql-js forgets those before it, whose
 * failures then are nobody's.
 */
function itemOf(type: GraphQLOutputType, world: World, place: string): unknown {
  if (isNonNullType(type)) return later(chance(world.seed, `${place}#turns`, 3), () => given(type, world, place));
  try {
    return given(type, world, place);
  } catch (error) {
    return error instanceof Error ? error : null;
  }
}

const resolve: GraphQLFieldResolver<unknown, World> = (...[, args, world, info]) => {
  const place = placeOf(info);
  world.asked.push(`${place} ${info.parentType.name}.${info.fieldName} ${JSON.stringify(args)}`);
  return given(info.returnType, world, place);
};

const placeOf = ({ path }: GraphQLResolveInfo): string => responsePathAsArray(path).join('.');

for (const type of Object.values(schema.getTypeMap())) {
  if (type.name.startsWith('__')) continue;
  if (isObjectType(type)) for (const field of Object.values(type.getFields())) field.resolve = resolve;
  if (isObjectType(type) && type.name === 'Being') {
    type.isTypeOf = (_value, { seed }: World, info) => {
      const luck = chance(seed, `${placeOf(info)}#isTypeOf`, 12);
      return luck < 4 ? later(luck, () => luck > 0) : luck > 4;
    };
  }
  if (isAbstractType(type)) {
    type.resolveType = (_value, { seed }: World, info) => {
      const luck = chance(seed, `${placeOf(info)}#type`, 20);
      const name = ['Colour', undefined, 'Query', 'Nothing'][luck] ?? (luck % 2 ? 'Thing' : 'Being');
      return luck < 12 ? name : later(luck % 3, () => name);
    };
  }
}

const KEYS = ['a', 'b', '__proto__', 'constructor', 'then', 'toJSON'];

const aliased = ([key, name, directive]: readonly [string, string, string]): string =>
  key === '' ? `${name} ${directive}` : `${key}_${name}: ${name} ${directive} ${key}: id`;

/** Most selections have none. */
const directives = fc.constantFrom(
  ...['', '', '', '', '@skip(if: $yes)', '@skip(if: $no)', '@include(if: $no)', '@include(if: $yes)'],
  ...['@skip(if: $no) @include(if: $no)', '@include(if: $nothing)'],
);

/** Selection sets of any depth, with aliases, fragments of each kind, and one field asked for several times. */
const { selectionSet } = fc.letrec<{ selectionSet: string; selection: string }>((tie) => ({
  selectionSet: fc
    .array(tie('selection'), { minLength: 1, maxLength: 5, depthIdentifier: 'selection' })
    .map((selections) => `{ ${selections.join(' ')} }`),
  selection: fc.oneof(
    { depthSize: 'small', maxDepth: 4, depthIdentifier: 'selection' },
    fc
      .tuple(fc.constantFrom('', ...KEYS), fc.constantFrom('id', 'count', 'colour', '__typename', 'grid'), directives)
      .map(aliased),
    fc.constantFrom(
      't1: text',
      't2: text(of: $text)',
      't3: text(times: $times, of: "x")',
      't4: text(of: null)',
      't5: text(must: $text)',
      't6: firm(must: $times)',
      't7: firm(must: $text)',
      't8: firm(must: $nothing)',
      't9: text(must: $nothing, of: $nothing)',
    ),
    fc.tuple(fc.constantFrom('...Small', '...Large', '...OfBeings'), directives).map((parts) => parts.join(' ')),
    fc
      .tuple(
        fc.constantFrom('one', 'sure', 'many', 'all', 'named', 'either', 'eithers'),
        directives,
        tie('selectionSet'),
      )
      .map((parts) => parts.join(' ')),
    fc
      .tuple(fc.constantFrom('', 'on Thing', 'on Being', 'on Named', 'on Either'), directives, tie('selectionSet'))
      .map((parts) => `... ${parts.join(' ')}`),
  ),
}));

const FRAGMENTS = `
  fragment Small on Thing { id count }
  fragment Large on Named { ...Small id named { ...OfBeings __typename } }
  fragment OfBeings on Being { all { id } either { ... on Thing { sure { id } } } }
`;

const prepare = createPreparation(schema);

/** How a run went, and what was asked of resolvers until its end. */
async function watched(seed: number, run: (world: World) => ExecutionResult | Promise<ExecutionResult>) {
  const world: World = { budget: new ResponseBudget(LIMITS), writes: 0, seed, asked: [] };
  const result = await run(world);
  return { told: told(result), asked: [...world.asked] };
}

/** In a form that can be compared. Only what resolvers say is said alike by every executor. */
const told = ({ data, errors }: ExecutionResult): string =>
  JSON.stringify({
    data,
    errors: errors?.map(({ message, path, locations }) => ({
      path,
      locations,
      message: / at \w+/u.test(message) ? message : 'not of a resolver',
    })),
  });

const VARIABLES = '($text: String, $times: Int, $nothing: Int, $yes: Boolean!, $no: Boolean!)';
const variables = { times: 3, nothing: null, yes: true, no: false };

function planned(kind: string, selections: string): OperationPlan {
  const document = parse(`${kind} ${VARIABLES} ${selections} ${FRAGMENTS}`);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  const prepared = prepare(document, operation);
  if (!prepared) throw new Error('no plan');
  return prepared.planFor(variables);
}

const executed = (kind: string, selections: string, contextValue: World) =>
  execute({
    schema,
    document: parse(`${kind} ${VARIABLES} ${selections} ${FRAGMENTS}`),
    variableValues: variables,
    contextValue,
  });

const random = [fc.constantFrom('query', 'mutation'), selectionSet, fc.integer()] as const;

describe('an operation that is planned once', () => {
  it('goes as graphql-js lets it go, whatever is asked for and whatever resolvers give', async () => {
    await fc.assert(
      fc.asyncProperty(...random, async (kind, selections, seed) => {
        const plan = planned(kind, selections);
        const turns = new EventLoopYield().forOperation();
        const ours = await watched(seed, (context) => executePlan(plan, { variables, context, turns }));
        expect(ours).toEqual(await watched(seed, (context) => executed(kind, selections, context)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('comes to the same however often it gives way to others', async () => {
    // Of errors that make the same place null, the one that comes first is told.
    const essence = ({ told }: Awaited<ReturnType<typeof watched>>) => {
      const { data, errors = [] }: { data: unknown; errors?: readonly object[] } = JSON.parse(told);
      return { data, hasErrors: errors.length > 0 };
    };
    await fc.assert(
      fc.asyncProperty(selectionSet, fc.integer(), async (selections, seed) => {
        const plan = planned('mutation', selections);
        const turns = new EventLoopYield(2).forOperation();
        const run = () => watched(seed, (context) => executePlan(plan, { variables, context, turns }));
        const expected = essence(await watched(seed, (context) => executed('mutation', selections, context)));
        const results = await Promise.all([run(), run(), run()]);
        for (const result of results) expect(essence(result)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('hears what fails in a list that has failed already', async () => {
    const things = [{ id: later(1, () => null) }, { id: null }];
    const listed = buildSchema('type Query { things: [Thing!] } type Thing { id: ID! }');
    const field = listed.getQueryType()?.getFields()['things'];
    if (field) field.resolve = () => things;
    const document = parse('{ things { id } }');
    const operation = document.definitions[0];
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    const plan = createPreparation(listed)(document, operation)?.planFor({});
    const context = { budget: new ResponseBudget(LIMITS), writes: 0 };
    const result =
      plan && (await executePlan(plan, { variables: {}, context, turns: new EventLoopYield().forOperation() }));
    expect(result?.data).toEqual({ things: null });
    expect(result?.errors?.map(({ path }) => path)).toEqual([['things', 1, 'id']]);
    // A rejection that nobody hears fails the test run.
    await later(10, () => null);
  });
});
