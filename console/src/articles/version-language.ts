/** What the list of articles shows: those of one project version, with the texts of one language. */
export interface VersionLanguage {
  readonly projectVersionId: string;
  readonly languageCode: string;
}
