/** The headers of a request, by their names in lower case. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** The form in which an API takes JSON bodies, always in UTF-8 and without a content encoding. */
export interface JsonBodyFormat {
  /** Matches the accepted media types, in lower case and without parameters. */
  readonly mediaType: RegExp;
  /** Throws for bytes that are not UTF-8. */
  readonly decoder: TextDecoder;
}

/** Returns the problem with the headers of a body, or null when the format accepts them. */
export function contentTypeProblem(headers: HeaderReader, { mediaType }: JsonBodyFormat): string | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return 'The content encoding of the request body must be identity.';
  const contentType = headers.get('content-type') ?? '';
  // Every format takes it, and nearly all clients send it.
  if (contentType === 'application/json') return null;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (!mediaType.test(type.trim())) return 'The media type of the request body must be application/json.';
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/u.test(charset)
    ? null
    : 'The charset of the request body must be UTF-8.';
}
