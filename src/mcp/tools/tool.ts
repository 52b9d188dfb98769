import type { ClientScope } from '../../domain/callers/caller.ts';

/** A tool is one GraphQL operation, whose variables are its arguments, so that it does what a client of GraphQL does. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The text of a document with one operation, which has one root field, and with its fragments. */
  readonly document: string;
  readonly effect: ToolEffect;
  /** Without one of them in the JWT of the caller, the tool is not listed. */
  readonly scopes: readonly ClientScope[];
  /** The name of the write that a preview belongs to. The preview gives a token for it, which the write takes. */
  readonly previewOf?: string;
  /** Descriptions of arguments in the place of those that the schema has for them. */
  readonly notes?: Readonly<Record<string, string>>;
  /** True where the root field is an article, whose text is returned in pieces by the argument `contentOffset`. */
  readonly pagesContent?: boolean;
}

/** A preview writes nothing to the knowledge base. */
type ToolEffect = 'read' | 'preview' | 'write';

/** The argument of a write with the token of its preview. */
export const PREVIEW_TOKEN = 'previewToken';

/** The argument of a read with the place in the text at which it begins. */
export const CONTENT_OFFSET = 'contentOffset';

/** The most articles of one call. Their outcomes must fit into one result. */
export const MAX_ARTICLES = 100;
