const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
]);

/**
 * Returns the media type of a GraphQL response: the first of ours in the `Accept` header, in UTF-8, as Yoga reads the
 * header. Null when there is none.
 */
export function negotiateMediaType(accept = '*/*'): string | null {
  const exactMatch = MEDIA_TYPES.get(accept);
  if (exactMatch !== undefined) return exactMatch;
  for (const entry of accept.replace(/\s/gu, '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';');
    const charset = parameters.find((parameter) => parameter.includes('charset=')) ?? 'charset=utf-8';
    const mediaType = charset === 'charset=utf-8' ? MEDIA_TYPES.get(name) : undefined;
    if (mediaType !== undefined) return mediaType;
  }
  return null;
}
