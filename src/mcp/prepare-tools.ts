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
import { shorten } from '../core/base/text.ts';
import {
  CONTENT_OFFSET,
  type McpOptions,
  PREVIEW_TOKEN,
  PREVIEW_TOOLS,
  READ_TOOLS,
  type Tool,
  WRITE_TOOLS,
} from './tools.ts';

/** A JSON Schema of draft 2020-12 for the arguments of tools. */
interface JsonSchema {
  readonly type?: unknown;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** The schema of all arguments of a tool. */
interface ObjectJsonSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Record<string, JsonSchema>;
  readonly required: string[];
}

export interface PreparedTool extends Tool {
  readonly parsed: DocumentNode;
  /** The name of the only field of the result. */
  readonly rootField: string;
  readonly inputSchema: ObjectJsonSchema;
}

const OFFERED: Readonly<Record<McpOptions['writes'], readonly Tool[]>> = {
  off: READ_TOOLS,
  preview: [...READ_TOOLS, ...PREVIEW_TOOLS],
  on: [...READ_TOOLS, ...PREVIEW_TOOLS, ...WRITE_TOOLS],
};

/** Prepares the tools that are offered (`MCP_WRITES`), by their names. */
export const prepareTools = (schema: GraphQLSchema, writes: McpOptions['writes']): ReadonlyMap<string, PreparedTool> =>
  new Map(OFFERED[writes].map((tool) => [tool.name, prepareTool(schema, tool)]));

function prepareTool(schema: GraphQLSchema, tool: Tool): PreparedTool {
  const parsed = parse(tool.document, { noLocation: true });
  const operation = parsed.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`The tool ${tool.name} has no operation.`);
  const [root] = operation.selectionSet.selections;
  if (root?.kind !== Kind.FIELD) throw new Error(`The tool ${tool.name} has no root field.`);
  return { ...tool, parsed, rootField: root.name.value, inputSchema: inputSchemaOf(schema, tool, operation) };
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
const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  first: { minimum: 1, maximum: MAX_PAGE_SIZE },
  articles: { minItems: 1, maxItems: MAX_TOOL_ARTICLES },
  categories: { minItems: 1, maxItems: MAX_TOOL_ARTICLES },
};

/** Descriptions that replace those of the schema. */
const NOTES: Readonly<Record<string, string>> = {
  [PREVIEW_TOKEN]:
    'The `previewToken` that the preview of these same arguments gave. It lives ten minutes and serves for one write.',
};

/** The schema of the arguments of a tool, from the variables of its operation. */
function inputSchemaOf(
  schema: GraphQLSchema,
  { pagesContent }: Tool,
  operation: OperationDefinitionNode,
): ObjectJsonSchema {
  const { variableDefinitions = [] } = operation;
  const descriptions = argumentDescriptions(schema, operation);
  const properties = variableDefinitions.map((definition): [string, JsonSchema] => {
    const name = definition.variable.name.value;
    const description = NOTES[name] ?? descriptions.get(name);
    return [name, { ...variableSchema(schema, definition), ...BOUNDS[name], ...(description && { description }) }];
  });
  if (pagesContent) properties.push([CONTENT_OFFSET, CONTENT_OFFSET_SCHEMA]);
  const required = variableDefinitions.filter(isRequired).map(({ variable }) => variable.name.value);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

const isRequired = ({ type, defaultValue }: VariableDefinitionNode): boolean =>
  type.kind === 'NonNullType' && defaultValue === undefined;

/** The schema of an argument. An optional one is left out instead of being null, so its schema does not allow null. */
function variableSchema(schema: GraphQLSchema, { type, defaultValue }: VariableDefinitionNode): JsonSchema {
  const inputType = typeFromAST(schema, type);
  if (!isInputType(inputType)) throw new Error('A variable of a tool has no input type.');
  return { ...typeSchema(inputType), ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }) };
}

/** The JSON types of the scalars of arguments. */
const SCALAR_TYPES: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  Int: 'integer',
  Boolean: 'boolean',
  DateTime: 'string',
};

function typeSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return { type: SCALAR_TYPES[type.name] };
  const fields = Object.values(type.getFields()).filter(({ deprecationReason }) => deprecationReason == null);
  const properties = fields.map(({ name, type: fieldType, description }) => {
    const schema = isNonNullType(fieldType) || type.isOneOf ? typeSchema(fieldType) : orNull(typeSchema(fieldType));
    return [name, { ...schema, ...(description && { description }) }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(type.isOneOf
      ? { minProperties: 1, maxProperties: 1 }
      : { required: fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name) }),
    additionalProperties: false,
  };
}

/** Changes the schema so that it also allows null. */
const orNull = (schema: JsonSchema): JsonSchema =>
  'enum' in schema ? { anyOf: [schema, { type: 'null' }] } : { ...schema, type: [schema.type, 'null'] };

const CONTENT_OFFSET_SCHEMA: JsonSchema = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description: `The character at which the piece of the text begins; a piece has up to ${CONTENT_PAGE_CHARS} characters.`,
};

/** The problem of arguments that GraphQL would accept or read differently; null when there is none. */
export function argumentProblem(
  { name, inputSchema }: PreparedTool,
  args: Readonly<Record<string, unknown>>,
): string | null {
  const known = Object.keys(inputSchema.properties);
  const unknown = Object.keys(args).find((argument) => !known.includes(argument));
  if (unknown !== undefined) {
    const others = known.length === 0 ? 'It has none.' : `Its arguments are ${known.join(', ')}.`;
    return `${name} has no argument ${JSON.stringify(shorten(unknown))}. ${others}`;
  }
  const { [CONTENT_OFFSET]: offset = 0 } = args;
  for (const name of ['articles', 'categories']) {
    const items = args[name];
    if (Array.isArray(items) && items.length > MAX_TOOL_ARTICLES)
      return `${name} has ${items.length} items; one call may have ${MAX_TOOL_ARTICLES}.`;
  }
  if (!Number.isSafeInteger(offset) || Number(offset) < 0) return `${CONTENT_OFFSET} must be a whole number from 0.`;
  return null;
}
