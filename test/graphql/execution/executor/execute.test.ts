import { setImmediate as nextTick } from 'node:timers/promises';
import fc from 'fast-check';
import {
  buildSchema,
  type ExecutionResult,
  execute as executeWithGraphqlJs,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  responsePathAsArray,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createScheduler } from '../../../../src/graphql/execution/execution.ts';
import { createExecutor, type Executor } from '../../../../src/graphql/execution/executor/execute.ts';
import { ResponseBudget } from '../../../../src/graphql/schema/response-budget.ts';
import { list } from '../../../support/repeat.ts';

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

/** A number below `limit`, always the same one for a seed and a key. */
function pseudoRandom(seed: number, key: string, limit: number): number {
  let hash = seed >>> 0;
  for (const character of key) hash = Math.imul(hash ^ character.charCodeAt(0), 0x5bd1e995) ^ (hash >>> 13);
  return Math.abs(hash ^ (hash >>> 15)) % limit;
}

interface TestContext {
  readonly seed: number;
  /** The calls of resolvers in their order. */
  readonly calls: string[];
}

/** What a resolver returns: values, errors, null, values of another type, and promises of each. */
function resolvedValue(type: GraphQLOutputType, seed: number, path: string): unknown {
  const choice = pseudoRandom(seed, path, 60);
  if (choice === 0) throw new Error(`thrown at ${path}`);
  if (choice === 1) throw `thrown at ${path}`;
  if (choice === 2) return new Error(`given at ${path}`);
  if (choice < 6) return choice === 3 ? undefined : null;
  if (choice === 6) return { neither: 'this', nor: 'that' };
  if (choice < 30) return later(choice % 4, () => plainValue(type, seed, path));
  return plainValue(type, seed, path);
}

async function later<T>(microtasks: number, value: () => T): Promise<T> {
  for (let count = 0; count < microtasks; count++) await undefined;
  return value();
}

function plainValue(type: GraphQLOutputType, seed: number, path: string): unknown {
  if (isNonNullType(type)) return plainValue(type.ofType, seed, path);
  if (isListType(type)) {
    const items = Array.from({ length: pseudoRandom(seed, `${path}#`, 4) }, (_, index) =>
      itemOf(type.ofType, seed, `${path}.${index}`),
    );
    return pseudoRandom(seed, `${path}#kind`, 5) === 0 ? new Set(items) : items;
  }
  const { name } = getNamedType(type);
  const value = pseudoRandom(seed, `${path}#value`, 20);
  if (name === 'Int') return value;
  if (name === 'Colour') return value === 0 ? 'BLUE' : 'RED';
  return name === 'ID' || name === 'String' ? `${value}` : { value };
}

/**
 * Non-null items are promises: when one fails at once, graphql-js drops the promises before it, whose rejections nothing
 * then handles. Rejections of items are handled here, since the executor handles them only once it has come to the item.
 */
function itemOf(type: GraphQLOutputType, seed: number, path: string): unknown {
  const item = isNonNullType(type)
    ? later(pseudoRandom(seed, `${path}#delay`, 3), () => resolvedValue(type, seed, path))
    : nullableItemOf(type, seed, path);
  if (item instanceof Promise) item.catch(() => {});
  return item;
}

function nullableItemOf(type: GraphQLOutputType, seed: number, path: string): unknown {
  try {
    return resolvedValue(type, seed, path);
  } catch (error) {
    return error instanceof Error ? error : null;
  }
}

const resolve: GraphQLFieldResolver<unknown, TestContext> = (...[, args, { seed, calls }, info]) => {
  const path = pathOf(info);
  calls.push(`${path} ${info.parentType.name}.${info.fieldName} ${JSON.stringify(args)}`);
  return resolvedValue(info.returnType, seed, path);
};

const pathOf = ({ path }: GraphQLResolveInfo): string => responsePathAsArray(path).join('.');

for (const type of Object.values(schema.getTypeMap())) {
  if (type.name.startsWith('__')) continue;
  if (isObjectType(type)) for (const field of Object.values(type.getFields())) field.resolve = resolve;
  if (isAbstractType(type)) {
    type.resolveType = (_value, { seed }: TestContext, info) => {
      const choice = pseudoRandom(seed, `${pathOf(info)}#type`, 20);
      const name = ['Colour', undefined, 'Query', 'Nothing'][choice] ?? (choice % 2 ? 'Thing' : 'Being');
      return name;
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

/** Selection sets of any depth, with aliases, fragments of each kind, and fields that are selected several times. */
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

/** False for the field of an object that is not in the data, because an error made it or what contains it null. */
function isInData(data: unknown, path: string): boolean {
  let value = data;
  for (const key of path.split('.').slice(0, -1)) {
    if (typeof value !== 'object' || value === null) return false;
    value = Reflect.get(value, key);
  }
  return typeof value === 'object' && value !== null;
}

/**
 * A result, and the calls of resolvers for what it contains. The fields of what an error has made null may be executed
 * before or after others.
 */
async function record(
  seed: number,
  run: (context: TestContext) => ExecutionResult | Promise<ExecutionResult>,
): Promise<{ readonly result: string; readonly calls: readonly string[] }> {
  const context: TestContext = { seed, calls: [] };
  const result = await run(context);
  const calls = context.calls.filter((call) => isInData(result.data, call.split(' ')[0] ?? ''));
  return { result: comparable(result), calls };
}

/**
 * Leaves out the messages of errors that are not thrown by resolvers: they may differ. Of the errors in what is null
 * because of one of them, any may be reported.
 */
function comparable({ data, errors = [] }: ExecutionResult): string {
  const isReported = ({ path = [] }: GraphQLError) => isInData(data, path.join('.'));
  const nullAbove = errors.filter((error) => !isReported(error)).map(({ path = [] }) => firstNull(data, path));
  return JSON.stringify({
    data,
    errors: errors.filter(isReported).map(({ message, path, locations }) => ({
      path,
      locations,
      message: / at \w+/u.test(message) ? message : 'not of a resolver',
    })),
    nullAbove: [...new Set(nullAbove)].sort(),
  });
}

/** The path of what is null in the data, and would have the place of the error below it. */
function firstNull(data: unknown, path: readonly (string | number)[]): string {
  const length = path.findIndex((_, index) => !isInData(data, path.slice(0, index + 1).join('.')));
  return path.slice(0, length).join('.');
}

const parseOperation = (kind: string, selections: string) =>
  parse(
    `${kind} ($text: String, $times: Int, $nothing: Int, $yes: Boolean!, $no: Boolean!) ${selections} ${FRAGMENTS}`,
  );

const VARIABLES = { times: 3, nothing: null, yes: true, no: false };

const executors = new WeakMap<GraphQLSchema, Executor>();

/** Executes with one executor for each schema, and takes the arguments of `execute` of graphql-js. */
function execute(args: { readonly schema: GraphQLSchema } & Omit<Parameters<Executor['execute']>[0], 'operation'>) {
  const executor = executors.get(args.schema) ?? createExecutor(args.schema);
  executors.set(args.schema, executor);
  return executor.execute({ ...args, operation: getOperationAST(args.document, args.operationName) });
}

const environment = (contextValue: unknown) => ({
  contextValue,
  budget: new ResponseBudget({ maxAnswerFields: 1_000_000, maxAnswerChars: 1_000_000 }),
  task: createScheduler()(),
  checkOperation: () => null,
  beginMutationField: () => {},
});

const random = [fc.constantFrom('query', 'mutation'), selectionSet, fc.integer()] as const;

describe('the executor', () => {
  const compareWithGraphqlJs = (numRuns: number) =>
    fc.assert(
      fc.asyncProperty(...random, async (kind, selections, seed) => {
        const args = { schema, document: parseOperation(kind, selections), variableValues: VARIABLES };
        const ours = await record(seed, (contextValue) => execute({ ...args, ...environment(contextValue) }));
        expect(ours).toEqual(await record(seed, (contextValue) => executeWithGraphqlJs({ ...args, contextValue })));
      }),
      { numRuns },
    );

  it('executes an operation as graphql-js does', () => compareWithGraphqlJs(500));

  it('executes an operation as graphql-js does, whatever it selects and resolvers return', { tags: 'long' }, () =>
    compareWithGraphqlJs(5_000),
  );

  it.each<[string, unknown]>([
    ['a text', 'text'],
    ['a number', 7],
    ['a fraction', 1.5],
    ['a boolean', true],
    ['the name of an enum value', 'RED'],
    ['null', null],
    ['nothing', undefined],
    ['a list', ['text']],
    ['an error', new Error('given at a property')],
    ['a promise', Promise.resolve('text')],
    ['a function', () => 'text'],
    [
      'a function that throws',
      () => {
        throw new Error('thrown at a property');
      },
    ],
  ])('completes a property as graphql-js does: %s', async (_name, value) => {
    const plain = buildSchema(
      'type Query { all: [Item] } enum Colour { RED } type Item { id: ID sureId: ID! text: String sure: String! count: Int yes: Boolean colour: Colour }',
    );
    const all = ['id', 'sureId', 'text', 'sure', 'count', 'yes', 'colour'].map((name) => ({
      id: 'i',
      sureId: 'i',
      sure: '',
      [name]: value,
    }));
    const field = plain.getQueryType()?.getFields()['all'];
    if (field) field.resolve = () => all;
    const args = { schema: plain, document: parse('{ all { id sureId text sure count yes colour } }') };
    const expected = await executeWithGraphqlJs(args);
    expect(expected.data).toHaveProperty('all');
    expect(JSON.stringify(await execute({ ...args, ...environment(null) }))).toBe(JSON.stringify(expected));
  });

  it('ends an operation whose properties exceed the budget with its error alone', async () => {
    const plain = buildSchema('type Query { all: [Item!]! } type Item { text: String }');
    const field = plain.getQueryType()?.getFields()['all'];
    if (field) field.resolve = () => [{ text: 'within' }, { text: 'beyond it' }];
    const budget = new ResponseBudget({ maxAnswerFields: 100, maxAnswerChars: 10 });
    const args = { ...environment(null), schema: plain, document: parse('{ all { text } }'), budget };
    const result = await execute(args);
    expect(result).toEqual({ errors: [budget.exceededError] });
  });

  it('plans an operation again when the conditions of its directives change', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(selectionSet, fc.integer(), async (selections, seed) => {
        const document = parseOperation('query', selections);
        for (const yes of [true, false, false, true]) {
          const args = { schema, document, variableValues: { ...VARIABLES, yes, no: !yes } };
          const ours = await record(seed, (contextValue) => execute({ ...args, ...environment(contextValue) }));
          expect(ours).toEqual(await record(seed, (contextValue) => executeWithGraphqlJs({ ...args, contextValue })));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('comes to the same result however often it yields', { tags: 'long' }, async () => {
    // Of several errors that make the same field null, only the first is reported.
    const essence = ({ result }: Awaited<ReturnType<typeof record>>) => {
      const { data, errors, nullAbove }: Record<'data' | 'errors' | 'nullAbove', readonly unknown[]> =
        JSON.parse(result);
      return { data, hasErrors: errors.length + nullAbove.length > 0 };
    };
    await fc.assert(
      fc.asyncProperty(selectionSet, fc.integer(), async (selections, seed) => {
        const args = { schema, document: parseOperation('mutation', selections), variableValues: VARIABLES };
        const task = createScheduler(2)();
        const run = () => record(seed, (contextValue) => execute({ ...args, ...environment(contextValue), task }));
        const expected = await record(seed, (contextValue) => executeWithGraphqlJs({ ...args, contextValue }));
        const results = await Promise.all([run(), run(), run()]);
        for (const result of results) expect(essence(result)).toEqual(essence(expected));
      }),
      { numRuns: 500 },
    );
  });

  it('yields sooner where fields fail, since an error takes longer than a field', { tags: 'long' }, async () => {
    const plain = buildSchema('type Query { all: [Item!]! } type Item { text: String }');
    const field = plain.getQueryType()?.getFields()['all'];
    const failing = () => {
      throw new Error('no text');
    };
    if (field) field.resolve = () => list(20_000, () => ({ text: failing }));
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    const { errors } = await execute({ schema: plain, document: parse('{ all { text } }'), ...environment(null) });
    clearInterval(timer);
    expect(errors).toHaveLength(20_000);
    expect(ticks).toBeGreaterThan(10);
  });

  it('lets other requests run between the root fields of a mutation', async () => {
    const mutationSchema = buildSchema('type Query { a: Int } type Mutation { write: Int }');
    let ticks = 0;
    const ticksOfWrites: number[] = [];
    const field = mutationSchema.getMutationType()?.getFields()['write'];
    // No resolver waits for anything that takes a tick, as over the embedded store.
    if (field) field.resolve = async () => ticksOfWrites.push(ticks);
    const countTicks = () => {
      ticks += 1;
      if (ticksOfWrites.length < 3) setImmediate(countTicks);
    };
    setImmediate(countTicks);
    const document = parse('mutation { a: write b: write c: write }');
    const result = await execute({ schema: mutationSchema, document, ...environment({}) });
    expect(result.data).toEqual({ a: 1, b: 2, c: 3 });
    expect(new Set(ticksOfWrites).size).toBe(3);
  });

  // A level of an operation must not wait as a whole: that takes some 300 MB before the error of the budget.
  it.each([
    ['is exceeded', 50, { errors: [{ extensions: { code: 'QUERY_TOO_COSTLY' } }] }],
    ['is not', 14, { data: { all: list(14, () => ({ id: '1' })) } }],
  ])(
    'waits for some thousand fields at one time when the budget %s',
    { tags: 'long' },
    async (_when, length, result) => {
      const deep = buildSchema('type Query { all: [Item!]! } type Item { id: ID! all: [Item!]! }');
      const items = list(length, () => ({ id: '1' }));
      const waiting: ((all: typeof items) => void)[] = [];
      let most = 0;
      // Answers once no more is asked for, as a slow service does.
      const answerAll = async (): Promise<void> => {
        let before = 0;
        for (let idleTicks = 0; idleTicks < 5; idleTicks += 1) {
          await nextTick();
          if (waiting.length > before) idleTicks = 0;
          before = waiting.length;
        }
        most = Math.max(most, before);
        for (const answer of waiting.splice(0)) answer(items);
      };
      const resolveAll = () => {
        if (waiting.length === 0) void answerAll();
        return new Promise((resolve) => waiting.push(resolve));
      };
      for (const type of [deep.getType('Query'), deep.getType('Item')]) {
        const field = isObjectType(type) ? type.getFields()['all'] : undefined;
        if (field) field.resolve = resolveAll;
      }
      const document = parse('{ all { id more: all { id all { all { id } } } } }');
      const answer = await execute({ schema: deep, document, ...environment({}) });
      expect(JSON.parse(JSON.stringify(answer))).toMatchObject(result);
      expect(most).toBeLessThan(4 * 2_000 + length);
    },
  );

  it('handles rejections of items in a list that has already failed', async () => {
    const things = [{ id: later(1, () => null) }, { id: null }];
    const listSchema = buildSchema('type Query { things: [Thing!] } type Thing { id: ID! }');
    const field = listSchema.getQueryType()?.getFields()['things'];
    if (field) field.resolve = () => things;
    const document = parse('{ things { id } }');
    const result = await execute({ schema: listSchema, document, ...environment({}) });
    expect(result.data).toEqual({ things: null });
    expect(result.errors?.map(({ path }) => path)).toEqual([['things', 1, 'id']]);
    // An unhandled rejection fails the test run.
    await later(10, () => null);
  });
});
