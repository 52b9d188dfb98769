/** The service's JSON, as far as it is measured. */
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

export interface Answer {
  readonly status: number;
  readonly envelope: Envelope;
}

/** One PUT to the service with the caller's token. How it is sent is what the peers differ in. */
export type Put = (path: string, body: object) => Promise<Answer>;
