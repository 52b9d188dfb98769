import {
  type DocumentNode,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { CONTENT_PAGE_CHARS, MAX_PAGE_SIZE, MAX_TOOL_ARTICLES } from '../base/limits.ts';
import { CONTENT_OFFSET, PREVIEW_TOKEN, type Tool } from './tools.ts';

/** A JSON Schema of draft 2020-12, as tools state their arguments. */
interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: string[];
  readonly [keyword: string]: unknown;
}

/** The schema of all arguments of a tool. */
export interface ObjectJsonSchema extends JsonSchema {
  readonly type: 'object';
}

/** The values of scalars in JSON. `JSON` can be anything. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string' },
};

const scalarSchema = (name: string): JsonSchema => SCALARS[name] ?? {};

/** Returns the schema, changed so that it also permits null. The empty schema permits it already. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (typeof type === 'string' && !('enum' in schema)) return { ...schema, type: [type, 'null'] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}

/** A tool with the operation that its document has. */
export interface ParsedTool {
  readonly tool: Tool;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** The descriptions of variables: those of the arguments and input fields that they are used for. */
function argumentDescriptions(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  const typeInfo = new TypeInfo(schema);
  const add = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === 'Variable' && description) descriptions.set(value.name.value, description);
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument: ({ value }) => add(value, typeInfo.getArgument()?.description),
      ObjectField: ({ name, value }) => {
        const parent = getNamedType(typeInfo.getParentInputType());
        if (isInputObjectType(parent)) add(value, parent.getFields()[name.value]?.description);
      },
    }),
  );
  return descriptions;
}

/** Bounds that the types of GraphQL do not state. */
const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  first: { minimum: 1, maximum: MAX_PAGE_SIZE },
  articles: { minItems: 1, maxItems: MAX_TOOL_ARTICLES },
};

/** Descriptions in the place of those that the schema has. */
const NOTES: Readonly<Record<string, string>> = {
  [PREVIEW_TOKEN]:
    'The `previewToken` that the preview of these same arguments gave. It lives ten minutes and serves for one write.',
};

/** The schema of the arguments of a tool, from the variables of its operation. */
export function inputSchemaOf(schema: GraphQLSchema, { tool, document, operation }: ParsedTool): ObjectJsonSchema {
  const { variableDefinitions = [] } = operation;
  const descriptions = argumentDescriptions(schema, document);
  const properties = variableDefinitions.map((definition): [string, JsonSchema] => {
    const name = definition.variable.name.value;
    const description = NOTES[name] ?? descriptions.get(name);
    return [name, { ...variableSchema(schema, definition), ...BOUNDS[name], ...(description && { description }) }];
  });
  if (tool.pagesContent) properties.push([CONTENT_OFFSET, CONTENT_OFFSET_SCHEMA]);
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

const CONTENT_OFFSET_SCHEMA: JsonSchema = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description: `The character at which the piece of the text begins; a piece has up to ${CONTENT_PAGE_CHARS} characters.`,
};
