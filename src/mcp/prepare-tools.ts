import { type DocumentNode, type GraphQLSchema, Kind, parse } from 'graphql';
import { MAX_TOOL_ARTICLES } from '../base/limits.ts';
import { inputSchemaOf, type ObjectJsonSchema } from './json-schemas.ts';
import { CONTENT_OFFSET, type McpOptions, PREVIEW_TOOLS, READ_TOOLS, type Tool, WRITE_TOOLS } from './tools.ts';

/** Which tools for writes are offered (`MCP_WRITES`). */
export type OfferedWrites = McpOptions['writes'];

export interface PreparedTool extends Tool {
  readonly parsed: DocumentNode;
  /** The name of the only field of the result. */
  readonly rootField: string;
  readonly inputSchema: ObjectJsonSchema;
}

const OFFERED: Readonly<Record<OfferedWrites, readonly Tool[]>> = {
  off: READ_TOOLS,
  preview: [...READ_TOOLS, ...PREVIEW_TOOLS],
  on: [...READ_TOOLS, ...PREVIEW_TOOLS, ...WRITE_TOOLS],
};

export const prepareTools = (schema: GraphQLSchema, writes: OfferedWrites): ReadonlyMap<string, PreparedTool> =>
  new Map(OFFERED[writes].map((tool) => [tool.name, prepareTool(schema, tool)]));

function prepareTool(schema: GraphQLSchema, tool: Tool): PreparedTool {
  const document = parse(tool.document, { noLocation: true });
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`The tool ${tool.name} has no operation.`);
  const [rootField] = operation.selectionSet.selections;
  if (rootField?.kind !== Kind.FIELD) throw new Error(`The tool ${tool.name} has no root field.`);
  return {
    ...tool,
    parsed: document,
    rootField: rootField.name.value,
    inputSchema: inputSchemaOf(schema, { tool, document, operation }),
  };
}

/** Finds what GraphQL would let pass, or would read as something else. Null when there is nothing. */
export function argumentProblem(
  { name, inputSchema }: PreparedTool,
  args: Readonly<Record<string, unknown>>,
): string | null {
  const known = Object.keys(inputSchema.properties ?? {});
  const unknown = Object.keys(args).find((argument) => !known.includes(argument));
  if (unknown !== undefined) {
    const others = known.length === 0 ? 'It has none.' : `Its arguments are ${known.join(', ')}.`;
    return `${name} has no argument ${JSON.stringify(unknown.slice(0, 100))}. ${others}`;
  }
  const { articles, [CONTENT_OFFSET]: offset = 0 } = args;
  if (Array.isArray(articles) && articles.length > MAX_TOOL_ARTICLES)
    return `articles has ${articles.length} items; one call may have ${MAX_TOOL_ARTICLES}.`;
  if (!Number.isSafeInteger(offset) || Number(offset) < 0) return `${CONTENT_OFFSET} must be a whole number from 0.`;
  return null;
}
