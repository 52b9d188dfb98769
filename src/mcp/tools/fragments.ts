/** Selects all that the members of a reader group may read, whatever kind of scope it is. */
export const ACCESS_SCOPE_FRAGMENT = `fragment Scope on AccessScope {
  __typename level rawLevel
  ... on CategoryAccessScope { categories { projectVersionId categoryId languageCode } }
  ... on LanguageAccessScope { languages { projectVersionId languageCode } }
  ... on VersionAccessScope { projectVersionIds }
  ... on PlainAccessScope { scopeLevel }
}`;

/** Selects the error of a whole write or preview. */
export const MUTATION_ERROR_FRAGMENT = `fragment Failure on MutationError {
  code message retryable mayHaveApplied
  serviceErrors { description errorCode }
  ... on ValidationError { issues { path message } source }
  ... on RateLimitedError { retryAfterSeconds }
  ... on ServiceRejectedError { httpStatus }
  ... on TooCostlyError { calls allowed }
}`;

export const NOTICES = 'warnings { code description } information { code description }';
