import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql';
import type { QueryLimits } from '../../domain/limits.ts';
import { queryLimitError } from '../query-limit.ts';

/** Brackets of all kinds within each other: graphql-js parses and validates by recursion, which ends at some 2,000. */
const MAX_BRACKETS = 200;

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

export interface ParsedQuery {
  readonly document: DocumentNode;
  /** What it weighs in memory depends on them. */
  readonly tokens: number;
}

/** Parses a document whose text keeps the limits. Throws an error with code and status where it does not, or is none. */
export function parseQuery(text: string, limits: QueryLimits): ParsedQuery {
  const { maxQueryBytes } = limits;
  if (text.length > maxQueryBytes || Buffer.byteLength(text) > maxQueryBytes) {
    throw queryLimitError(`The query must have at most ${maxQueryBytes} bytes.`);
  }
  const source = new Source(text, 'GraphQL request');
  try {
    const tokens = countTokens(source, limits.maxQueryTokens);
    return { document: parse(source), tokens };
  } catch (error) {
    // A syntax error: over application/json the draft of GraphQL over HTTP answers it with 200.
    if (error instanceof GraphQLError && error.extensions['code'] === undefined) {
      Object.assign(error.extensions, { code: 'GRAPHQL_PARSE_FAILED', http: { spec: true, status: 400 } });
    }
    throw error;
  }
}

function countTokens(source: Source, maxTokens: number): number {
  const lexer = new Lexer(source);
  let tokens = 0;
  let depth = 0;
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    if (++tokens > maxTokens) throw queryLimitError(`The query must have at most ${maxTokens} tokens.`);
    if (OPENING.has(kind) && ++depth > MAX_BRACKETS) {
      throw queryLimitError(`The query must not nest brackets more than ${MAX_BRACKETS} deep.`);
    }
    if (CLOSING.has(kind)) depth--;
  }
  return tokens;
}
