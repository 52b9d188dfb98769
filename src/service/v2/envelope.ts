import { isObject, type JsonObject } from '../../core/base/json.ts';
import type { Notice, ServiceError } from '../../core/notices.ts';
import { lenientArray, lenientObject, lenientText } from './fields.ts';

/** The body of every response, with lists that are never null: see docs/service.md, "Response envelope". */
export interface Envelope {
  /** The member `data` or `result`; undefined without either. */
  readonly payload: unknown;
  readonly success: boolean | null;
  readonly errors: readonly ServiceError[];
  readonly warnings: readonly Notice[];
  readonly information: readonly Notice[];
  readonly extensionData: JsonObject | null;
}

/**
 * Decodes the envelope; null when the body is none. Proxies answer errors with JSON of their own, so an error counts as
 * the service's only where it has the members of its envelope: see docs/service.md, "Response envelope".
 */
export function decodeEnvelope(body: unknown, httpStatus = 200): Envelope | null {
  if (!isObject(body)) return null;
  const { success, errors, warnings, information, extension_data } = body;
  const readable = (success == null || typeof success === 'boolean') && (errors == null || Array.isArray(errors));
  if (!readable || !(httpStatus < 300 ? isAnswer(body) : isError(body))) return null;
  return {
    payload: body['data'] ?? body['result'] ?? (isResultItem(body) ? body : undefined),
    success: typeof success === 'boolean' ? success : null,
    errors: lenientArray(errors).map(decodeServiceError),
    warnings: lenientArray(warnings).map((entry) => decodeNotice(entry, 'warning_code')),
    information: lenientArray(information).map((entry) => decodeNotice(entry, 'information_code')),
    extensionData: lenientObject(extension_data),
  };
}

const ENTRY_MEMBERS = ['description', 'error_code', 'custom_data', 'stack_trace', 'extension_data'] as const;

const OTHER_MEMBERS = ['errors', 'warnings', 'information', 'extension_data', 'data'] as const;

const hasOwnErrors = ({ errors }: JsonObject): boolean =>
  lenientArray(errors).every((entry) => !isObject(entry) || ENTRY_MEMBERS.some((member) => member in entry));

const namesErrors = ({ errors }: JsonObject): boolean => lenientArray(errors).some(isObject);

/**
 * True for an error of the service. Published errors have five members of the envelope, of which some may be absent;
 * the flag alone is not enough.
 */
const isError = (body: JsonObject): boolean =>
  hasOwnErrors(body) &&
  (typeof body['success'] === 'boolean' ? OTHER_MEMBERS.some((member) => member in body) : namesErrors(body));

/** True for a success of the service, also where it has only its payload, or only the flag. */
const isAnswer = (body: JsonObject): boolean => {
  const payload = body['data'] ?? body['result'] ?? null;
  const hasPayload = payload !== null && typeof payload !== 'string';
  const isFlag =
    typeof body['success'] === 'boolean' && (hasPayload || 'result' in body || Object.keys(body).length === 1);
  return hasOwnErrors(body) && (hasPayload || isFlag || isResultItem(body) || isError(body));
};

const isResultItem = (body: JsonObject): boolean => typeof body['success'] === 'boolean' && 'article_id' in body;

/** The member `data` or `result`, or the whole body without an envelope: see docs/service.md, "Response envelope". */
export function payloadOf(body: unknown): unknown {
  const bare = !isObject(body) || !('data' in body || 'result' in body || 'success' in body);
  return bare ? body : (body['data'] ?? body['result']);
}

/** True where a response with a 2xx status reports success. `result` is ignored: see docs/contract.md, "Success". */
export const reportsSuccess = (envelope: Envelope): boolean =>
  envelope.errors.length === 0 && envelope.success !== false;

function decodeServiceError(entry: unknown): ServiceError {
  const { description, error_code, custom_data, extension_data } = isObject(entry) ? entry : { description: entry };
  return {
    description: lenientText(description),
    errorCode: lenientText(error_code),
    customData: lenientObject(custom_data),
    extensionData: lenientObject(extension_data),
  };
}

function decodeNotice(entry: unknown, codeKey: string): Notice {
  const members: JsonObject = isObject(entry) ? entry : { description: entry };
  return {
    description: lenientText(members['description']),
    code: lenientText(members[codeKey]),
    extensionData: lenientObject(members['extension_data']),
  };
}

/** The encoding of empty lists: `[]` in the bulk update, else null. See docs/service.md, "Response envelope". */
export type EmptyListEncoding = 'empty' | 'null';

export interface EnvelopeContent {
  readonly payload?: { readonly data: unknown } | { readonly result: unknown };
  readonly success: boolean;
  readonly errors?: readonly ServiceError[];
  readonly warnings?: readonly Notice[];
  readonly information?: readonly Notice[];
  readonly extensionData?: JsonObject | null;
}

/** Encodes an envelope. The members have the order of the published examples. */
export function encodeEnvelope(content: EnvelopeContent, emptyLists: EmptyListEncoding): JsonObject {
  const list = (items: readonly JsonObject[]) => (items.length === 0 && emptyLists === 'null' ? null : items);
  return {
    ...content.payload,
    extension_data: content.extensionData ?? null,
    success: content.success,
    errors: list((content.errors ?? []).map(encodeServiceError)),
    warnings: list((content.warnings ?? []).map(encodeWarning)),
    information: list((content.information ?? []).map(encodeInformation)),
  };
}

const encodeServiceError = (error: ServiceError): JsonObject => ({
  extension_data: error.extensionData,
  stack_trace: null,
  description: error.description,
  error_code: error.errorCode,
  custom_data: error.customData,
});

const encodeInformation = ({ extensionData, description }: Notice): JsonObject => ({
  extension_data: extensionData,
  description,
});

const encodeWarning = (notice: Notice): JsonObject => ({ ...encodeInformation(notice), warning_code: notice.code });
