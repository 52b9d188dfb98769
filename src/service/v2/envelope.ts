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
 * Null when the body is no envelope, so that nothing can be concluded from it. Proxies answer errors with JSON of their own,
 * so an error counts as the service's only where its members are: see docs/service.md, "Response envelope".
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

/** False where some error has members of its own making. */
const hasOwnErrors = ({ errors }: JsonObject): boolean =>
  lenientArray(errors).every((entry) => !isObject(entry) || ENTRY_MEMBERS.some((member) => member in entry));

const namesErrors = ({ errors }: JsonObject): boolean => lenientArray(errors).some(isObject);

/** Every published error has five members of the envelope; some may be absent, but the flag alone proves nothing. */
const isError = (body: JsonObject): boolean =>
  hasOwnErrors(body) &&
  (typeof body['success'] === 'boolean' ? OTHER_MEMBERS.some((member) => member in body) : namesErrors(body));

/** A success is also one where it has nothing but its payload, or nothing but the flag. */
const isAnswer = (body: JsonObject): boolean => {
  const payload = body['data'] ?? body['result'] ?? null;
  const hasPayload = payload !== null && typeof payload !== 'string';
  const isFlag =
    typeof body['success'] === 'boolean' && (hasPayload || 'result' in body || Object.keys(body).length === 1);
  return hasOwnErrors(body) && (hasPayload || isFlag || isResultItem(body) || isError(body));
};

/** True for the result of one item, which may come without the list and the envelope around it. */
const isResultItem = (body: JsonObject): boolean => typeof body['success'] === 'boolean' && 'article_id' in body;

/** The member `data` or `result`, or the whole body without an envelope: see docs/service.md, "Response envelope". */
export function payloadOf(body: unknown): unknown {
  const bare = !isObject(body) || !('data' in body || 'result' in body || 'success' in body);
  return bare ? body : (body['data'] ?? body['result']);
}

/** For responses with a 2xx status. `result` never decides: see docs/contract.md, "Success". */
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

/** Empty lists are `[]` in the bulk update, else null: see docs/service.md, "Response envelope". */
export type EmptyListEncoding = 'empty' | 'null';

export interface EnvelopeContent {
  /** Absent in errors. */
  readonly payload?: { readonly data: unknown } | { readonly result: unknown };
  readonly success: boolean;
  readonly errors?: readonly ServiceError[];
  readonly warnings?: readonly Notice[];
  readonly information?: readonly Notice[];
  readonly extensionData?: JsonObject | null;
}

/** Keeps the members in the order of the published examples. */
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
