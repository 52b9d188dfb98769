import { CONTENT_PAGE_SCHEMA } from '../results/content-pages.ts';
import type { Tool } from '../tools/tool.ts';
import type { JsonSchema, ObjectJsonSchema } from './json-schemas.ts';

const ERRORS: JsonSchema = {
  type: 'array',
  description: 'What failed, or why nothing was done.',
  items: {
    type: 'object',
    properties: { message: { type: 'string' }, code: { type: 'string' } },
    required: ['message'],
  },
};

const TRUNCATED: JsonSchema = {
  type: 'array',
  description: 'Texts and lists that were cut.',
  items: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      unit: { type: 'string', enum: ['characters', 'items'] },
      kept: { type: 'integer' },
      total: { type: 'integer' },
    },
  },
};

const PREVIEW_TOKEN_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  previewToken: { type: 'string', description: 'Lets the write of these same arguments follow, once.' },
  previewTokenExpiresAt: { type: 'string', description: 'RFC 3339' },
};

/** The schema of a result: the data of the operation, and what there is to say about it. */
export const resultSchema = (data: Readonly<Record<string, JsonSchema>>, tool: Tool): ObjectJsonSchema => ({
  type: 'object',
  properties: {
    ...data,
    ...(tool.pagesContent && { contentPage: CONTENT_PAGE_SCHEMA }),
    ...(tool.effect === 'preview' && PREVIEW_TOKEN_MEMBERS),
    errors: ERRORS,
    truncated: TRUNCATED,
  },
});
