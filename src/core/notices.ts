import type { JsonObject } from './base/json.ts';

/** An error of the service, without its stack trace: see docs/service.md, "Response envelope". */
export interface ServiceError {
  readonly description: string | null;
  readonly errorCode: string | null;
  readonly customData: JsonObject | null;
  readonly extensionData: JsonObject | null;
}

/** A warning or a piece of information in a response of the service (BaseWarning, BaseInformation). */
export interface Notice {
  readonly description: string | null;
  /** The code of a warning; null in a piece of information, which has none. */
  readonly code: string | null;
  readonly extensionData: JsonObject | null;
}

/** Creates an error of the service that has only a description and maybe a code. */
export const createServiceError = (description: string, errorCode: string | null = null): ServiceError => ({
  description,
  errorCode,
  customData: null,
  extensionData: null,
});

/** Creates a notice without extension data. */
export const createNotice = (description: string, code: string | null = null): Notice => ({
  description,
  code,
  extensionData: null,
});

/** The warning of the embedded store about items with `html_content`. */
export const HTML_CONTENT_DEPRECATED = createNotice(
  'html_content is deprecated and will be removed. Use content, which every editor takes.',
);

/** The notices and the extension data in the response to a write. */
export interface Notices {
  readonly warnings: readonly Notice[];
  readonly information: readonly Notice[];
  readonly extensionData: JsonObject | null;
}

export const NO_NOTICES: Notices = { warnings: [], information: [], extensionData: null };
