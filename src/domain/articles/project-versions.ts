/** A version of the documentation, which the service's newer texts call a workspace. */
export interface ProjectVersion {
  readonly projectVersionId: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly languages: readonly Language[];
}

/** The project version that reads take when they name none. */
export type DefaultVersion = Pick<ProjectVersion, 'projectVersionId' | 'name'>;

export interface Language {
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/** One project version in one language. */
export interface Edition {
  readonly projectVersionId: string;
  readonly languageCode: string;
}
