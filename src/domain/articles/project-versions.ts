/** A version of the documentation; the service's newer texts call it a workspace. */
export interface ProjectVersion {
  readonly projectVersionId: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly languages: readonly Language[];
}

export interface Language {
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/** What the service still allows the caller's token. */
export interface RateLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetAt: Date | null;
}
