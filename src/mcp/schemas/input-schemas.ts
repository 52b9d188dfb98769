import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { MAX_PAGE_SIZE } from '../../base/limits.ts';
import { MAX_ARTICLES } from '../tools/tool.ts';
import { type JsonSchema, type ObjectJsonSchema, orNull, scalarSchema } from './json-schemas.ts';

/** Bounds that the types of GraphQL do not state. */
const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  first: { minimum: 1, maximum: MAX_PAGE_SIZE },
  articles: { minItems: 1, maxItems: MAX_ARTICLES },
};

/** The schema of the arguments of a tool, from the variables of its operation. */
export function inputSchemaOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  descriptions: ReadonlyMap<string, string>,
): ObjectJsonSchema {
  const properties = variableDefinitions.map((definition) => {
    const name = definition.variable.name.value;
    const description = descriptions.get(name);
    return [name, { ...variableSchema(schema, definition), ...BOUNDS[name], ...(description && { description }) }];
  });
  const required = variableDefinitions.filter(isRequired).map(({ variable }) => variable.name.value);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

const isRequired = ({ type, defaultValue }: VariableDefinitionNode): boolean =>
  type.kind === 'NonNullType' && defaultValue === undefined;

/** An argument that is not required is left out rather than null, so its schema does not mention null. */
function variableSchema(schema: GraphQLSchema, { type, defaultValue }: VariableDefinitionNode): JsonSchema {
  const inputType = typeFromAST(schema, type);
  if (!isInputType(inputType)) throw new Error('A variable of a tool has no input type.');
  return { ...typeSchema(inputType), ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }) };
}

function typeSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return scalarSchema(type.name);
  const fields = Object.values(type.getFields()).filter(({ deprecationReason }) => deprecationReason == null);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, type.isOneOf)])),
    ...(type.isOneOf
      ? { minProperties: 1, maxProperties: 1 }
      : { required: fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name) }),
    additionalProperties: false,
  };
}

function fieldSchema({ type, description }: GraphQLInputField, isOneOf: boolean): JsonSchema {
  const schema = isNonNullType(type) || isOneOf ? typeSchema(type) : orNull(typeSchema(type));
  return { ...schema, ...(description && { description }) };
}
