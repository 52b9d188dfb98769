/** The output of `--help`. The settings are those of `config.ts`. */
export const HELP = `kb-gateway: a GraphQL gateway for a knowledge-base service

Usage:
  kb-gateway [serve]         serve GraphQL, over the service or over the embedded store
  kb-gateway mcp             serve an AI client over stdin and stdout, as KB_API_TOKEN or KB_JWT (MCP)
  kb-gateway import FILE     load a knowledge base (.json or .json.gz) into the embedded store
  kb-gateway export FILE     write the embedded store to a new file (.json or .json.gz) that import reads
  kb-gateway backup FILE     copy the embedded store to a new file, also while it is served (SQLite)
  kb-gateway bulk-update FILE  update articles from a file, through a gateway that runs (bulk-update --help)
  kb-gateway print-schema    print the GraphQL schema; with --federation that of the subgraph of Federation 2
  kb-gateway --help
  kb-gateway --version

Options of serve:
  --port PORT, --host HOST   in place of the settings of these names
  --config-check             print the settings that would be used, without secrets, and end

Exit codes:
  0  done, or stopped by SIGTERM or SIGINT
  1  failed: a wrong setting, a port that is taken, a store that cannot be opened, a file that cannot be used
  2  misused: no such command or option

Settings, from the environment. API_TOKEN, UPSTREAM_API_TOKEN, DATABASE_URL, STATE_URL and CLIENT_PUBLIC_KEY may also
come from a file that a variable with _FILE at its end names, as in API_TOKEN_FILE=/run/secrets/api-token:
  HOST, PORT            where to listen (127.0.0.1, 4000; port 0 takes a free one)
  REQUEST_TIMEOUT_MS    deadline of one GraphQL request (30000)
  MAX_BODY_BYTES        largest request body (10485760)
  MAX_BULK_ITEMS        most items in one call (10000)
  CORS_ORIGINS          web origins whose pages may call, separated by commas (none)
  INTROSPECTION         on or off, also true or false (on)
  MCP_HTTP              serve AI clients at /mcp: true or false, also on or off (true)
  MCP_WRITES            off, preview or on: the tools for writes that AI clients get (off)
  COALESCE_WRITES       merge small concurrent bulk updates: true or false, also on or off (true)
  SHUTDOWN_GRACE_MS     how long a stop waits for calls in flight (10000)
  METRICS_PORT          where /metrics is served for Prometheus (nowhere)
  METRICS_HOST          the address for that (127.0.0.1)
  LOG_LEVEL             debug, info, warn or error: what is logged on stdout (info)
  LOG_FORMAT            json or pretty (pretty on a terminal, else json)

  The standard variables OTEL_* export metrics and traces (nothing).

  Callers:
  API_TOKEN             the gateway's own tokens, separated by commas: the embedded store accepts them, and
                        UPSTREAM_API_TOKEN is lent for them (generated and kept; with PostgreSQL: none)

  Callers with a JWT:
  CLIENT_JWKS_URL             URL of the keys that sign JWTs; https, or http to this machine
  CLIENT_PUBLIC_KEY           the only key that signs JWTs: PEM, or the path of such a file
  CLIENT_JWT_ISSUER           the claim iss of every JWT
  CLIENT_JWT_AUDIENCE         the claim aud of every JWT
  CLIENT_JWT_SCOPE_CLAIM      the claim that lists read, articles:write, groups:write (scope)
  CALLER_REQUESTS_PER_MINUTE  requests of one caller in a minute, also without JWTs (0: no limit)

  Audit log:
  AUDIT_LOG             the file to which all writes are recorded (none)
  AUDIT_FAILURE         closed or open: refuse or send writes that cannot be recorded (closed)

  Trusted documents:
  PERSISTED_DOCUMENTS       the JSON file of documents that clients may send by their IDs (none)
  PERSISTED_DOCUMENTS_MODE  also or only: execute other documents, too, or none (also)

  Jobs and idempotency keys:
  STATE_URL             where they are kept: sqlite:PATH, sqlite::memory: or postgres://…
                        (sqlite:data/state.db; over the embedded store its own database). Gateways in front of
                        the service with the same PostgreSQL share budgets, locks and marks of writes
  STATE_FAILURE         closed or open: refuse updates of reader groups or send them without a lock while several
                        gateways can't reach the state that they share (closed)
  MAX_JOB_ITEMS         most items in one job (1000000)
  MAX_STATE_BYTES       the most that is kept of all jobs and keys, roughly (1073741824)
  JOB_OPEN_SECONDS      how long a job in parts waits for its next part (3600)
  JOB_KEEP_DAYS         how long results and keys are kept (30)

  Limits of one request:
  MAX_QUERY_DEPTH       fields within each other (16)

  The embedded store, the default:
  DATABASE_URL          sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE
                        (sqlite:data/kb.db)
  DATABASE_POOL_SIZE    connections to PostgreSQL of each process (10)
  DEMO_DATA             put the demo into an empty store: true or false (true)

  The service, if UPSTREAM_URL is set:
  UPSTREAM_URL          its base URL
  UPSTREAM_API_TOKEN    its token, lent to callers with a valid JWT, else to those who send one of API_TOKEN
  UPSTREAM_TIMEOUT_MS   deadline of one upstream call (10000)
  UPSTREAM_BULK_SIZE    items per upstream PUT (100)
  MAX_UPSTREAM_CALLS    upstream reads of one query, or of its previews (60)
  READ_CACHE_SECONDS    how long a response to a read may be used again; 0: never (30)
  READ_CACHE_BYTES      bytes of all responses that are kept (33554432)

  Proxies on the way to the service and to CLIENT_JWKS_URL, in lower case as well:
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY  proxies for https and http, and the hosts that are called without one (none)
`;
