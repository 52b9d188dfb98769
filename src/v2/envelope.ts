import { isObject } from '../domain/articles/articles.ts';
import type { JsonObject, Notice, ServiceError } from '../domain/notices.ts';

/** The one shape of every answer (spec, Response envelope), with its loose ends tied. */
export interface Envelope {
  /** What stands under `data` or `result`; undefined where neither is there. */
  readonly payload: unknown;
  readonly success: boolean | null;
  readonly errors: readonly ServiceError[];
  readonly warnings: readonly Notice[];
  readonly information: readonly Notice[];
  readonly extensionData: JsonObject | null;
}

/** Reads an envelope; null where the body is something else, so that nothing can be concluded from it. */
export function decodeEnvelope(body: unknown): Envelope | null {
  if (!isObject(body)) return null;
  const { success, errors, warnings, information, extension_data } = body;
  const readable =
    (success == null || typeof success === 'boolean') &&
    (errors == null || Array.isArray(errors)) &&
    (typeof success === 'boolean' || Array.isArray(errors) || 'data' in body || 'result' in body);
  if (!readable) return null;
  return {
    payload: body['data'] ?? body['result'],
    success: typeof success === 'boolean' ? success : null,
    errors: entries(errors).map(decodeServiceError),
    warnings: entries(warnings).map((entry) => decodeNotice(entry, 'warning_code')),
    information: entries(information).map((entry) => decodeNotice(entry, 'information_code')),
    extensionData: objectOrNull(extension_data),
  };
}

/** What a read answers with, wherever the service put it: under `data`, under `result`, or bare (facts, section 1). */
export function payloadOf(body: unknown): unknown {
  const bare = !isObject(body) || !('data' in body || 'result' in body || 'success' in body);
  return bare ? body : (body['data'] ?? body['result']);
}

/** HTTP 2xx is taken for granted: no errors, and not `success: false`. `result` never decides (contract, section 2). */
export const saysSuccess = (envelope: Envelope): boolean => envelope.errors.length === 0 && envelope.success !== false;

function decodeServiceError(entry: unknown): ServiceError {
  const { description, error_code, custom_data, extension_data } = isObject(entry) ? entry : { description: entry };
  return {
    description: textOrNull(description),
    errorCode: textOrNull(error_code),
    customData: objectOrNull(custom_data),
    extensionData: objectOrNull(extension_data),
  };
}

function decodeNotice(entry: unknown, codeKey: string): Notice {
  const members: JsonObject = isObject(entry) ? entry : { description: entry };
  return {
    description: textOrNull(members['description']),
    code: textOrNull(members[codeKey]),
    extensionData: objectOrNull(members['extension_data']),
  };
}

const entries = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const objectOrNull = (value: unknown): JsonObject | null => (isObject(value) ? value : null);

/** How an operation leaves its empty lists: the bulk update as `[]`, everything else as null (spec, shown cases). */
export type EmptyLists = 'empty' | 'null';

export interface EnvelopeContent {
  /** `data` or `result`, with what belongs there; errors carry neither. */
  readonly payload?: { readonly data: unknown } | { readonly result: unknown };
  readonly success: boolean;
  readonly errors?: readonly ServiceError[];
  readonly warnings?: readonly Notice[];
  readonly information?: readonly Notice[];
  readonly extensionData?: JsonObject | null;
}

/** Writes an envelope with its members in the order of the spec. */
export function encodeEnvelope(content: EnvelopeContent, lists: EmptyLists): JsonObject {
  const list = (items: readonly JsonObject[]) => (items.length === 0 && lists === 'null' ? null : items);
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

const encodeWarning = ({ extensionData, description, code }: Notice): JsonObject => ({
  extension_data: extensionData,
  description,
  warning_code: code,
});

const encodeInformation = ({ extensionData, description }: Notice): JsonObject => ({
  extension_data: extensionData,
  description,
});
