// Every bound of a request, a caller and a connection that is no setting. `npm run reference` writes the page of the docs.

// # A connection

/** Bytes of a body of the Fetch API that are read after its answer. */
export const MAX_DISCARDED_BYTES = 64 * 1024 ** 2;

/** Milliseconds in which a client sends its headers; one that takes longer is dropped at the next check. */
export const HEADERS_TIMEOUT_MS = 10_000;

/** Milliseconds in which a client sends a whole request, so that one with 10 MB may come at 17 kB a second. */
export const BODY_TIMEOUT_MS = 600_000;

/** Milliseconds in which a client sends a part of its body, else it gets 408, or reads a part of its answer. */
export const PROGRESS_WINDOW_MS = 10_000;

/** Bytes of that part, unless the rest is less: a mobile connection of 5 kB a second has three times as many in the time. */
export const MIN_PROGRESS_BYTES = 16_384;

/**
 * Milliseconds from an answer above 64 kB to the next request of its connection, in place of `KEEP_ALIVE_SECONDS`. The system
 * holds the last part of an answer until the client has read it: 60 kB on a mobile connection of 5 kB a second.
 */
export const UNREAD_ANSWER_MS = 12_000;

/** Milliseconds for the headers of a request that begins just before its idle connection would end. */
export const LATE_HEAD_MS = 5_000;

/** Open connections: each may hold a head of a request. One more is closed at once. */
export const MAX_CONNECTIONS = 10_000;

/** Connections that may wait to be accepted; systems have bounds of their own. Beyond it, clients get no answer. */
export const MAX_PENDING_CONNECTIONS = 4_096;

/**
 * Requests of one connection that come before the earlier ones are answered. Clients that use pipelining at all send
 * about ten ahead.
 */
export const MAX_PIPELINED_REQUESTS = 100;

/** Requests that were received whole and are not answered yet, most of which wait for the service. One more gets 503. */
export const MAX_REQUESTS = 2_000;

// # A caller

/** Callers whose requests are counted for `CALLER_REQUESTS_PER_MINUTE`. */
export const MAX_COUNTED_CALLERS = 10_000;

/** Web origins outside of `CORS_ORIGINS` that are logged in a minute, each of them once. */
export const MAX_REFUSED_ORIGINS = 100;

/** Characters of the subject that `authenticate` of a host may give. */
export const MAX_SUBJECT_LENGTH = 1_024;

/** Bytes of the keys that sign JWTs, as their URL gives them. */
export const MAX_JWKS_BYTES = 262_144;

/** Milliseconds in which those keys are there. */
export const JWKS_TIMEOUT_MS = 5_000;

// # A request body

/** Values in a body, however nested. */
export const MAX_INPUT_VALUES = 300_000;

/** Items of one list in a body, unless `MAX_BULK_ITEMS` is more. */
export const MAX_LIST_ITEMS = 50_000;

/** Lists and objects within each other. Responses have two for each category within another; others have fewer than ten. */
export const MAX_JSON_DEPTH = 256;

/** Members of one object. Valid ones have fewer than twenty, except for the variables of a large document. */
export const MAX_OBJECT_MEMBERS = 5_000;

/**
 * Kinds of objects, distinguished by the names of their members in order, and each beginning of such a list. The parser of
 * V8 spends about a microsecond on each new one.
 */
export const MAX_OBJECT_SHAPES = 20_000;

// # Memory that callers can fill

/** Bytes of all bodies, of the values parsed from them, and of the large answers that are not read yet; or four of the largest bodies. */
export const MAX_HELD_BYTES = 128 * 1024 ** 2;

/** Bytes beyond that for bodies of at most 64 kB. */
export const RESERVED_BYTES = 64 * 1024 ** 2;

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

/** Trusted documents in their file: each is parsed and validated at the start, and stays in memory. */
export const MAX_TRUSTED_DOCUMENTS = 2_000;

/**
 * Nested brackets of all kinds, and fragments within each other: the recursion of graphql-js overflows the stack at some
 * 2,000.
 */
export const MAX_DOCUMENT_NESTING = 200;

/** Errors that are found in a document. graphql-js adds an error of its own when it stops there. */
export const MAX_VALIDATION_ERRORS = 19;

/** Parsed documents that are kept. Few clients have more, and the cache allocates its arrays at once. */
export const MAX_CACHED_DOCUMENTS = 10_000;

// # An answer

/** Fields, list items and values of input that an operation may read and return, counted as they are produced. */
export const MAX_ANSWER_FIELDS = 300_000;

/** Characters of all texts in the input and the answer of one operation. */
export const MAX_ANSWER_CHARS = 20_000_000;

/** Errors of an answer without data, which as a whole stays below 16 kB. */
export const MAX_ERRORS = 20;

/** Bytes of all errors of an answer without data. */
export const MAX_ERROR_BYTES = 15_000;

/** Characters of the message of an error. Messages of graphql-js quote input of any length. */
export const MAX_ERROR_MESSAGE = 500;

/**
 * Fields for which an operation waits at one time. From there on, a list begins its next item when its earlier items
 * are complete. A field that waits takes about 1 kB: without this bound, a level of 100,000 objects would wait as a
 * whole.
 */
export const MAX_PENDING_FIELDS = 2_000;

/** Findings about a body of the REST façade that an answer names. */
export const MAX_BODY_FINDINGS = 100;

// # Lists and texts

/** Items in a page when the caller does not say how many. */
export const DEFAULT_PAGE_SIZE = 20;

/** The largest page that a caller may ask for. */
export const MAX_PAGE_SIZE = 100;

/** The largest page of the results of a job, which cost no call to the service. */
export const MAX_RESULTS_PAGE_SIZE = 1_000;

/** Global IDs that one field reads. */
export const MAX_NODES = 100;

/** Entities of one request. A router sends all that it needs of a list together. */
export const MAX_REPRESENTATIONS = 1_000;

/**
 * UTF-16 units of an ID; those of the service have 36. Servers take URLs of up to about 16 kB, in which two IDs of this
 * length fit with every character escaped.
 */
export const MAX_ID_LENGTH = 512;

/** Characters of a global ID or of a cursor. Three IDs of 512 characters, with all of them escaped, take less. */
export const MAX_OPAQUE_LENGTH = 16_384;

/** UTF-16 units of a title in the embedded store, whose lists read titles whole, a hundred at a time. */
export const MAX_STORED_TITLE = 10_000;

/** UTF-16 units of the title of an article that is created. */
export const MAX_CREATED_TITLE = 300;

/** UTF-16 units of a message of a publication, which is sent once for each article, and kept with a job that is read as a whole. */
export const MAX_PUBLISH_MESSAGE = 1_000;

/** UTF-16 units of the name of a job, which lists of jobs show. */
export const MAX_JOB_NAME = 200;

/** Articles that one request creates: over the store they are one transaction, for which other writes wait. */
export const MAX_CREATED_ARTICLES = 1_000;

/** Creates over the service that a process remembers, so that none of two equal ones is taken for the other. */
export const MAX_REMEMBERED_CREATES = 20_000;

/** The articles with its title that are listed for an item with an unknown outcome. */
export const MAX_CANDIDATES = 10;

/** UTF-16 units of a description in the embedded store. */
export const MAX_STORED_DESCRIPTION = 1_000_000;

/** UTF-16 units of a text to search for, which is enough for every title that is created. */
export const MAX_SEARCH_LENGTH = MAX_CREATED_TITLE;

/** Words of a text to search for that may be in the title or the content. More of them are searched in either alone. */
export const MAX_SCATTERED_WORDS = 10;

/**
 * Characters of a part of an email address to look for, which becomes part of a URL: 64, an @ and 255 more (RFC 3696,
 * section 3).
 */
export const MAX_EMAIL_LENGTH = 320;

// # Calls to the service

/** Calls at one time. Only hanging calls can be so many, since the service allows a token some 60 a minute. */
export const MAX_SOCKETS = 256;

/** Calls that wait for the rate limit or a connection; one more is unavailable at once. A request may make dozens. */
export const MAX_WAITING_CALLS = 10_000;

/** Bytes of a response, compressed and decompressed. A response to a bulk update of 10,000 items has about 2 MB. */
export const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

/** Values in a response. One to 10,000 items has some 60,000; 10 MB of brackets would take 200 MB once they are parsed. */
export const MAX_RESPONSE_VALUES = 500_000;

/** Bytes of all responses that are read at one time. A response for which there is no room counts as too large. */
export const MAX_IN_FLIGHT_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Compressed responses that are read at one time: a small one may become a large one. */
export const MAX_CONCURRENT_PARSES = 4;

/** Accepted tokens whose rate limit is remembered. The one that was accepted longest ago makes room. */
export const MAX_ACCEPTED_TOKENS = 10_000;

/** Calls at one time of tokens that the service has not accepted yet: one of each token, until it has an answer. */
export const MAX_UNVERIFIED_CALLS = 100;

/** Milliseconds for which a token that the service has refused is refused without a call. */
export const REFUSED_TOKEN_MS = 5_000;

/** Tokens that the service has not accepted, without pending calls, which are remembered for their refusal or rate limit. */
export const MAX_IDLE_UNVERIFIED = 1_000;

/** Characters of JSON that later calls of one bulk update may add to the notices of the first one. */
export const MAX_ADDED_NOTICE_CHARACTERS = 1_000_000;

/** Pages of the members of one group, which has fewer than a million. */
export const MAX_MEMBER_PAGES = 200;

/** Milliseconds for which a list of the service may not show a write of the gateway. What it shows later counts. */
export const MAX_LIST_LAG_MS = 60_000;

/** The same for a read of one article. */
export const MAX_ARTICLE_LAG_MS = 10_000;

/** Bytes of what is known of the writes of that time. The articles that were written longest ago make room for others. */
export const RECENT_WRITES_BYTES = 16 * 1024 ** 2;

/** Bytes of writes since the last read, as JSON. Where there is no room, the earlier half makes some. */
export const NOTED_CALLS_BYTES = 8 * 1024 ** 2;

/** Bytes of what reads have shown of hidden articles (`KEEP_HIDDEN`), which is kept for `READ_CACHE_SECONDS`. */
export const KNOWN_HIDDEN_BYTES = 16 * 1024 ** 2;

/** Writes of that time that are known of one article, the last ones. */
export const MAX_WRITES_OF_ARTICLE = 20;

/** Milliseconds from the connection to a proxy to the end of the handshake with the host behind it. */
export const TUNNEL_TIMEOUT_MS = 10_000;

/**
 * Calls that are sent again at one time after a merged one. One is not enough: a retry that hangs would use up the time
 * of the others.
 */
export const MAX_CONCURRENT_RETRIES = 4;

/** Writes of one reader group that wait for others; one more fails at once. */
export const MAX_WAITING_GROUP_WRITES = 2_000;

/** Writes of one reader group by one token that wait: as many requests as wait without an error. */
export const MAX_WAITING_GROUP_WRITES_OF_TOKEN = 1_000;

/** Locks of reader groups that a process holds in a shared state at one time. */
export const MAX_GROUP_LOCKS = 64;

/** Writes that wait for one of these locks. */
export const MAX_WAITING_GROUP_LOCKS = 1_000;

/** Merged calls of one token at one time. The calls of its jobs have the same limit of their own. */
export const MAX_MERGED_CALLS = 4;

/** UTF-16 units of one notice with its data. Longer notices are withheld; the service sends none near this size. */
export const MAX_NOTICE_CHARS = 10_000;

// # The embedded store

/** Calls that wait for the database at one time, half of them of one token; one more is rejected at once. A request makes several. */
export const MAX_PENDING_DATABASE_CALLS = 10_000;

/** Statements outside of calls that wait for a connection to PostgreSQL; one more fails at once. */
export const MAX_PENDING_STATEMENTS = 1_000;

/** Milliseconds of one statement in PostgreSQL. */
export const STATEMENT_TIMEOUT_MS = 30_000;

/** Milliseconds that a call waits for a connection, be it one of the pool or a new one, or for a row. */
export const MAX_DATABASE_WAIT_MS = 10_000;

/** Bytes of all long texts that are read for one batch of articles: more than any response may have. */
export const MAX_BATCH_TEXT_BYTES = 128_000_000;

/** Items of one merged bulk update of the embedded store: one transaction, hence one wait for the disk. */
export const MAX_STORE_BATCH_ITEMS = 1_000;

// # Tools for AI clients

/** Calls of tools of one client at a time. */
export const MAX_TOOL_CALLS = 16;

/** Articles of one call of a tool. Their outcomes must fit into one result. */
export const MAX_TOOL_ARTICLES = 100;

/** Characters of the text of an article in one result. */
export const CONTENT_PAGE_CHARS = 20_000;

/**
 * Characters of text and items of a result together; its lists end there. 100 outcomes with the longest texts have
 * fewer.
 */
export const MAX_RESULT_SIZE = 250_000;

/** Milliseconds in which a write may follow its preview. */
export const PREVIEW_LIFETIME_MS = 10 * 60_000;

// # Logs and metrics

/** Characters of audit lines that wait for the disk. Writes whose lines are more fail at once. */
export const MAX_PENDING_AUDIT_CHARS = 16 * 1024 ** 2;

/** Milliseconds that a caller waits for the disk of the audit log. */
export const MAX_AUDIT_WAIT_MS = 5_000;

/** Characters of the log that are kept for a slow reader. Further lines are dropped and counted. */
export const MAX_BUFFERED_LOG_CHARS = 4 * 1024 ** 2;

/** Connections for metrics. A scraper needs one; further ones are closed until an idle one has ended. */
export const MAX_METRICS_CONNECTIONS = 20;

/** Bytes of the headers of a scrape. */
export const MAX_METRICS_HEADER_BYTES = 8_192;

/** Milliseconds in which a scraper sends its request; one that takes longer is dropped at the next check. */
export const METRICS_REQUEST_TIMEOUT_MS = 5_000;

/** Milliseconds after which a connection for metrics on which nothing happens is closed. */
export const METRICS_IDLE_TIMEOUT_MS = 15_000;

// # Jobs

/** Jobs of one caller that have not ended. */
export const MAX_JOBS = 5;

/** Characters of the texts of one call of a job, unless a single item has more. */
export const MAX_JOB_CALL_CHARS = 5_000_000;

/** The longest time between the end of the read of an article that a job keeps, or puts back, and the write of it. */
export const MAX_BEFORE_AGE_MS = 1_000;

/** Items of one call of a job that keeps the values from before, where one of them sets a text: each is read by a call. */
export const MAX_KEPT_TEXTS = 10;

/** Items of one call that publishes. */
export const MAX_PUBLISHED_ITEMS = 100;

/** Jobs of all callers that hold items in memory at one time. */
export const MAX_CONCURRENT_STEPS = 16;
