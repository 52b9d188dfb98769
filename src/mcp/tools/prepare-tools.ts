import {
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import type { McpOptions } from '../mcp-options.ts';
import { CONTENT_OFFSET_SCHEMA } from '../results/content-pages.ts';
import { argumentDescriptions } from '../schemas/argument-descriptions.ts';
import { inputSchemaOf } from '../schemas/input-schemas.ts';
import type { ObjectJsonSchema } from '../schemas/json-schemas.ts';
import { SelectionSchemas } from '../schemas/output-schemas.ts';
import { resultSchema } from '../schemas/result-schemas.ts';
import { ARTICLE_TOOLS } from './article-tools.ts';
import { READER_TOOLS } from './reader-tools.ts';
import { CONTENT_OFFSET, type Tool } from './tool.ts';
import { PREVIEW_TOOLS, WRITE_TOOLS } from './write-tools.ts';

/** Which tools for writes are offered (`MCP_WRITES`). */
export type OfferedWrites = McpOptions['writes'];

export interface PreparedTool extends Tool {
  readonly parsed: DocumentNode;
  /** The name of the only field of the result. */
  readonly rootField: string;
  readonly inputSchema: ObjectJsonSchema;
  readonly outputSchema: ObjectJsonSchema;
  /** The names of the types of the root field that say that nothing was done. */
  readonly errorTypes: ReadonlySet<string>;
}

const OFFERED: Readonly<Record<OfferedWrites, readonly Tool[]>> = {
  off: [...ARTICLE_TOOLS, ...READER_TOOLS],
  preview: [...ARTICLE_TOOLS, ...READER_TOOLS, ...PREVIEW_TOOLS],
  on: [...ARTICLE_TOOLS, ...READER_TOOLS, ...PREVIEW_TOOLS, ...WRITE_TOOLS],
};

export const prepareTools = (schema: GraphQLSchema, writes: OfferedWrites): ReadonlyMap<string, PreparedTool> =>
  new Map(OFFERED[writes].map((tool) => [tool.name, prepareTool(schema, tool)]));

function prepareTool(schema: GraphQLSchema, tool: Tool): PreparedTool {
  const parsed = parse(tool.document, { noLocation: true });
  const operation = parsed.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`The tool ${tool.name} has no operation.`);
  const rootType = schema.getRootType(operation.operation);
  const [rootField] = operation.selectionSet.selections;
  if (rootField?.kind !== Kind.FIELD || !rootType) throw new Error(`The tool ${tool.name} has no root field.`);
  return {
    ...tool,
    parsed,
    rootField: rootField.name.value,
    inputSchema: toolInputSchema(schema, { tool, parsed, operation }),
    outputSchema: resultSchema(new SelectionSchemas(schema, parsed).properties(rootType, operation.selectionSet), tool),
    errorTypes: errorTypesOf(rootType, rootField.name.value),
  };
}

interface ParsedTool {
  readonly tool: Tool;
  readonly parsed: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

function toolInputSchema(schema: GraphQLSchema, { tool, parsed, operation }: ParsedTool): ObjectJsonSchema {
  const inputSchema = inputSchemaOf(schema, operation, argumentDescriptions(schema, parsed, tool.notes));
  if (!tool.pagesContent) return inputSchema;
  return { ...inputSchema, properties: { ...inputSchema.properties, [CONTENT_OFFSET]: CONTENT_OFFSET_SCHEMA } };
}

function errorTypesOf(rootType: GraphQLObjectType, rootField: string): ReadonlySet<string> {
  const type = rootType.getFields()[rootField]?.type;
  const members = isUnionType(type) ? type.getTypes() : [];
  const errors = members.filter((member) => member.getInterfaces().some(({ name }) => name === 'MutationError'));
  return new Set(errors.map(({ name }) => name));
}
