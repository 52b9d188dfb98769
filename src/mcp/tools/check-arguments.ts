import type { PreparedTool } from './prepare-tools.ts';
import { CONTENT_OFFSET, MAX_ARTICLES } from './tool.ts';

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
  if (Array.isArray(articles) && articles.length > MAX_ARTICLES)
    return `articles has ${articles.length} items; one call may have ${MAX_ARTICLES}.`;
  if (!Number.isSafeInteger(offset) || Number(offset) < 0) return `${CONTENT_OFFSET} must be a whole number from 0.`;
  return null;
}
