/** The fields of the service's JSON that are used. */
export interface Envelope {
  readonly data?: readonly ResultItem[] | null;
  readonly result?: boolean | null;
  readonly success?: boolean | null;
  readonly extension_data?: unknown;
  readonly errors?: readonly BaseError[] | null;
  readonly warnings?: readonly BaseNotice[] | null;
  readonly information?: readonly BaseNotice[] | null;
}

export interface ResultItem {
  readonly article_id: string | null;
  readonly success: boolean;
  readonly details: string | null;
}

export interface BaseError {
  readonly description: string | null;
  readonly error_code: string | null;
}

export interface BaseNotice {
  readonly description: string | null;
  readonly warning_code?: string | null;
}

export interface ServiceResponse {
  readonly status: number;
  readonly envelope: Envelope;
}

/** Sends one PUT to the service with the caller's token. Each peer has an HTTP client of its own for it. */
export type Put = (path: string, body: object) => Promise<ServiceResponse>;

/** The payload of a response to a read. It is not validated. */
export const payloadOf = <T>(envelope: { readonly data?: T; readonly result?: T }): T => {
  const payload = envelope.data ?? envelope.result;
  if (payload === undefined) throw new Error('The service returned no payload.');
  return payload;
};
