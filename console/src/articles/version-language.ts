/** A project version and a language, whose articles and texts a list shows. */
export interface VersionLanguage {
  readonly projectVersionId: string;
  readonly languageCode: string;
}
