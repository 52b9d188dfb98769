/** A JSON object as it came, its members unread. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An error in the service's own words (the spec's BaseError, without its stack trace). */
export interface ServiceError {
  readonly description: string | null;
  readonly errorCode: string | null;
  readonly customData: JsonObject | null;
  readonly extensionData: JsonObject | null;
}

/** A warning or a piece of information that came with an answer (BaseWarning, BaseInformation). */
export interface Notice {
  readonly description: string | null;
  /** Only warnings have one. */
  readonly code: string | null;
  readonly extensionData: JsonObject | null;
}

export const serviceError = (description: string, errorCode: string | null = null): ServiceError => ({
  description,
  errorCode,
  customData: null,
  extensionData: null,
});

export const notice = (description: string, code: string | null = null): Notice => ({
  description,
  code,
  extensionData: null,
});

/** What the embedded store, and so a gateway in the service's place, says of items with `html_content`. */
export const HTML_DEPRECATED = notice(
  'html_content is deprecated and will be removed. Use content, which every editor takes.',
);

/** What came beside the result of a write that was answered. */
export interface Notices {
  readonly warnings: readonly Notice[];
  readonly information: readonly Notice[];
  readonly extensionData: JsonObject | null;
}
