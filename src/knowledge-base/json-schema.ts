import { z } from 'zod';
import { knowledgeBaseShape } from './shape.ts';

/** The import format as JSON Schema, draft 2020-12. References between entries are beyond it. */
export const knowledgeBaseJsonSchema = (): z.core.JSONSchema.BaseSchema =>
  z.toJSONSchema(knowledgeBaseShape, { io: 'input' });

/** The text of the file `knowledge-base.schema.json`. */
export function printKnowledgeBaseJsonSchema(): string {
  const { $schema, ...schema } = knowledgeBaseJsonSchema();
  const title = 'A knowledge base in the import format of kb-gateway';
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
}
