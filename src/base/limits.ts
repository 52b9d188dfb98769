// # A document

/** UTF-8 bytes of the text of a document. */
export const MAX_QUERY_BYTES = 64 * 1024;

/** Tokens of a document: parsing takes time and memory for each. */
export const MAX_QUERY_TOKENS = 3_000;

/** Fields of a document, with those of a fragment counted at each of its spreads. */
export const MAX_QUERY_FIELDS = 1_000;

/** Fields with an alias, counted as above: an alias reads a field once more. */
export const MAX_QUERY_ALIASES = 100;

/** Fields at the root of one operation, counted as above. */
export const MAX_ROOT_FIELDS = 50;

/** Directives at one location, such as a field. */
export const MAX_QUERY_DIRECTIVES = 5;

/** Bytes of memory for parsed documents. The oldest make room. */
export const QUERY_CACHE_BYTES = 32 * 1024 ** 2;

// # A request body

/** Values in a body, however nested. */
export const MAX_INPUT_VALUES = 300_000;

/** Items of one list in a body, unless `MAX_BULK_ITEMS` is more. */
export const MAX_LIST_ITEMS = 50_000;

// # An answer

/** Fields, list items and values of input that an operation may read and return, counted as they are produced. */
export const MAX_ANSWER_FIELDS = 300_000;

/** Characters of all texts in the input and the answer of one operation. */
export const MAX_ANSWER_CHARS = 20_000_000;
