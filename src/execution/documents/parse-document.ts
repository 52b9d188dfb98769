import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql';
import type { QueryLimits } from '../../domain/limits.ts';
import type { RequestErrorCode } from '../../domain/request-errors.ts';
import { limitExceededError } from './document-size.ts';

/** Nested brackets of all kinds: the recursion of graphql-js overflows the stack at some 2,000. */
const MAX_BRACKET_DEPTH = 200;

const OPENING_BRACKETS: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING_BRACKETS: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

export interface ParsedDocument {
  readonly document: DocumentNode;
  readonly tokens: number;
}

/** Throws a GraphQLError with a code when the text is invalid or exceeds a limit. */
export function parseBoundedDocument(text: string, limits: QueryLimits): ParsedDocument {
  const { maxQueryBytes } = limits;
  if (text.length > maxQueryBytes || Buffer.byteLength(text) > maxQueryBytes) {
    throw limitExceededError(`The query must have at most ${maxQueryBytes} bytes.`);
  }
  const source = new Source(text, 'GraphQL request');
  try {
    const tokens = countTokens(source, limits.maxQueryTokens);
    return { document: parse(source), tokens };
  } catch (error) {
    // A syntax error.
    if (error instanceof GraphQLError && error.extensions['code'] === undefined) {
      Object.assign(error.extensions, { code: 'GRAPHQL_PARSE_FAILED' satisfies RequestErrorCode });
    }
    throw error;
  }
}

function countTokens(source: Source, maxTokens: number): number {
  const lexer = new Lexer(source);
  let tokens = 0;
  let depth = 0;
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    if (++tokens > maxTokens) throw limitExceededError(`The query must have at most ${maxTokens} tokens.`);
    if (OPENING_BRACKETS.has(kind) && ++depth > MAX_BRACKET_DEPTH) {
      throw limitExceededError(`The query must not nest brackets more than ${MAX_BRACKET_DEPTH} deep.`);
    }
    if (CLOSING_BRACKETS.has(kind)) depth--;
  }
  return tokens;
}
