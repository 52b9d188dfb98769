import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { CONTENT_PAGE_CHARS, MAX_PAGE_SIZE, MAX_TOOL_ARTICLES } from '../core/base/limits.ts';
import { CONTENT_OFFSET, type McpOptions, OFFERED_TOOLS, PREVIEW_TOKEN, type Tool } from './tools.ts';

/** A JSON Schema of draft 2020-12 for the arguments of tools. It has no unions, which many clients do not read. */
export interface JsonSchema {
  readonly type: 'array' | 'boolean' | 'integer' | 'object' | 'string';
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly maxItems?: number;
  readonly [keyword: string]: unknown;
}

/** The schema of all arguments of a tool. */
export interface ObjectJsonSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

export interface PreparedTool extends Tool {
  readonly parsed: DocumentNode;
  /** The name of the only field of the result. */
  readonly rootField: string;
  readonly inputSchema: ObjectJsonSchema;
}

export const prepareTools = (schema: GraphQLSchema, writes: McpOptions['writes']): ReadonlyMap<string, PreparedTool> =>
  new Map(OFFERED_TOOLS[writes].map((tool) => [tool.name, prepareTool(schema, tool)]));

function prepareTool(schema: GraphQLSchema, tool: Tool): PreparedTool {
  const { parsed, operation } = parseTool(tool);
  const [root] = operation.selectionSet.selections;
  if (root?.kind !== Kind.FIELD) throw new Error(`The tool ${tool.name} has no root field.`);
  // A preview has all arguments of its write, so that its token is for all of them.
  const write = OFFERED_TOOLS.on.find(({ name }) => name === tool.previewOf);
  const { operation: described } = write ? parseTool(write) : { operation };
  return { ...tool, parsed, rootField: root.name.value, inputSchema: inputSchemaOf(schema, tool, described) };
}

function parseTool({ name, document }: Tool) {
  const parsed = parse(document, { noLocation: true });
  const operation = parsed.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error(`The tool ${name} has no operation.`);
  return { parsed, operation };
}

/** The descriptions of variables, taken from the arguments and input fields that they are used for. */
function argumentDescriptions(schema: GraphQLSchema, operation: OperationDefinitionNode): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  const typeInfo = new TypeInfo(schema);
  const add = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === 'Variable' && description) descriptions.set(value.name.value, description);
  };
  visit(
    operation,
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

/** Bounds that the GraphQL types do not have. */
const BOUNDS: Readonly<Record<string, Partial<JsonSchema>>> = {
  first: { minimum: 1, maximum: MAX_PAGE_SIZE },
  articles: { minItems: 1, maxItems: MAX_TOOL_ARTICLES },
  categories: { minItems: 1, maxItems: MAX_TOOL_ARTICLES },
};

/** Descriptions that replace those of the schema. */
const NOTES: Readonly<Record<string, string>> = {
  [PREVIEW_TOKEN]:
    'The `previewToken` that the preview of these same arguments gave. It lives ten minutes and serves for one write.',
};

/** The schema of the arguments of a tool, from the variables of an operation. */
function inputSchemaOf(
  schema: GraphQLSchema,
  { effect, pagesContent }: Tool,
  operation: OperationDefinitionNode,
): ObjectJsonSchema {
  const definitions = (operation.variableDefinitions ?? []).filter(
    ({ variable }) => effect === 'write' || variable.name.value !== PREVIEW_TOKEN,
  );
  const descriptions = argumentDescriptions(schema, operation);
  const properties = definitions.map((definition): [string, JsonSchema] => {
    const name = definition.variable.name.value;
    const description = NOTES[name] ?? descriptions.get(name);
    return [name, { ...variableSchema(schema, definition), ...BOUNDS[name], ...describedAs(description) }];
  });
  if (pagesContent) properties.push([CONTENT_OFFSET, CONTENT_OFFSET_SCHEMA]);
  const required = definitions.filter(isRequired).map(({ variable }) => variable.name.value);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** Sentences about null and empty texts, which tools take as arguments that were left out. */
const OF_GRAPHQL_ALONE = /^(?:null\b|not null\b|an empty text is sent)/iu;

const describedAs = (description: string | null | undefined) => {
  const sentences = description?.split(/(?<=\.) /u).filter((sentence) => !OF_GRAPHQL_ALONE.test(sentence));
  return sentences && { description: sentences.join(' ') };
};

const isRequired = ({ type, defaultValue }: VariableDefinitionNode): boolean =>
  type.kind === 'NonNullType' && defaultValue === undefined;

function variableSchema(schema: GraphQLSchema, { type, defaultValue }: VariableDefinitionNode): JsonSchema {
  const inputType = typeFromAST(schema, type);
  if (!isInputType(inputType)) throw new Error('A variable of a tool has no input type.');
  return { ...typeSchema(inputType), ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }) };
}

/** The JSON types of the scalars of arguments that are no texts. */
const SCALAR_TYPES: Readonly<Record<string, JsonSchema['type']>> = { Int: 'integer', Boolean: 'boolean' };

function typeSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return { type: SCALAR_TYPES[type.name] ?? 'string' };
  const fields = Object.values(type.getFields()).filter(({ deprecationReason }) => deprecationReason == null);
  const properties = fields.map(({ name, type: fieldType, description }) => [
    name,
    { ...typeSchema(fieldType), ...describedAs(description) },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(type.isOneOf
      ? { minProperties: 1, maxProperties: 1 }
      : { required: fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name) }),
    additionalProperties: false,
  };
}

const CONTENT_OFFSET_SCHEMA: JsonSchema = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description: `The character at which the piece of the text begins; a piece has up to ${CONTENT_PAGE_CHARS} characters.`,
};
