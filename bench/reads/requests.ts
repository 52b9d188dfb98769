import type { Dialect } from '../documents.ts';
import { HIVE_READ_DOCUMENTS, READ_DOCUMENTS, type ReadOperation } from './documents.ts';
import { articleOfConnection, EDITION } from './knowledge-base.ts';

interface ReadShape {
  readonly dialect: Dialect;
  readonly operation: ReadOperation;
}

/** How many groups a page shows at first. */
export const OPENING_PAGE_SIZE = 5;

/** The body of a query. Each connection reads an article of its own. */
export const readBody = (shape: ReadShape, connection: number): object =>
  readBodyOf(shape, articleOfConnection(connection).id);

/** The body of a query, with the article that it reads if it reads one. */
export function readBodyOf({ dialect, operation }: ReadShape, articleId: string): object {
  const { projectVersionId, languageCode } = EDITION;
  if (dialect === 'hive') {
    const edition = { projectVersionId, langCode: languageCode };
    const variables = operation === 'read-article' ? { articleId, langCode: languageCode } : edition;
    return { query: HIVE_READ_DOCUMENTS[operation], variables: operation === 'read-opening' ? {} : variables };
  }
  const variables = {
    'read-articles': EDITION,
    'read-groups': {},
    'read-article': { articleId, languageCode },
    'read-opening': { first: OPENING_PAGE_SIZE },
  }[operation];
  return { query: READ_DOCUMENTS[operation], variables };
}
