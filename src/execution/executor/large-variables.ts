import {
  coerceInputValue,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { isObject } from '../../domain/articles/articles.ts';

/** Parts and characters. Below, execution's own coercion is as good. */
const LARGE = 10_000;
const MAX_ERRORS = 20;

type Values = Readonly<Record<string, unknown>>;

/**
 * What speaks against large variables that do not fit, before execution looks at them: that writes each bad value into its error whole,
 * for up to 50 errors, which took up to 15 s. Here an error names its place only. Nothing of small ones: theirs are for
 * execution to tell.
 */
export const largeVariableErrors = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: Values,
): readonly GraphQLError[] => (weightOf(values) < LARGE ? [] : problemsOf(schema, operation, values));

/** About what a value has of parts and characters. It stops counting where that is enough. */
function weightOf(value: unknown, enough = LARGE): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const [key, part] of Object.entries(value)) {
    weight += key.length + weightOf(part, enough - weight);
    if (weight >= enough) break;
  }
  return weight;
}

function problemsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: Values,
): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  let quoted = 0;
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type) || !Object.hasOwn(values, name)) continue;
    const report = (path: readonly (string | number)[], _value: unknown, { message }: GraphQLError) => {
      const place = path.length > 0 ? ` at "${[name, ...path].join('.')}"` : '';
      errors.push(
        new GraphQLError(`Variable "$${name}" got an invalid value${place}; ${message}`, { nodes: definition }),
      );
      // graphql-js writes an object with all its members into a message, however many there are.
      quoted += message.length;
      if (errors.length >= MAX_ERRORS || quoted >= LARGE) throw ENOUGH;
    };
    try {
      // Without suggestions: what is most like a name of 10 MB takes half a second to find.
      coerceInputValue(withShortTexts(values[name]), type, report, true);
    } catch (thrown) {
      if (thrown === ENOUGH) break;
      throw thrown;
    }
  }
  return errors;
}

/** Characters of a text that an error may quote. */
const MAX_QUOTED = 500;

/**
 * Cuts the texts in a value, and gives the value itself where none is too long: where a text may stand, none is too long, and
 * where none may stand, a short one is as wrong.
 */
function withShortTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED).toWellFormed()}…` : value;
  if (Array.isArray(value)) {
    const items = value.map(withShortTexts);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  let changed: Record<string, unknown> | null = null;
  for (const [name, member] of Object.entries(value)) {
    const short = withShortTexts(member);
    if (short === member) continue;
    changed ??= { ...value };
    changed[name] = short;
  }
  return changed ?? value;
}

/** Thrown to end a coercion, which knows no other way. */
const ENOUGH = Symbol('enough');
