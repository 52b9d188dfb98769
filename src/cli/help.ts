/** What `--help` prints. The settings are those of `config.ts`. */
export const HELP = `kb-gateway: a GraphQL gateway for a knowledge-base service

Usage:
  kb-gateway [serve]         serve GraphQL, over the service or over the embedded store
  kb-gateway import FILE     load a knowledge base (.json or .json.gz) into the embedded store
  kb-gateway print-schema    print the GraphQL schema
  kb-gateway --help
  kb-gateway --version

Settings, from the environment:
  HOST, PORT            where to listen (127.0.0.1, 4000; port 0 takes a free one)
  REQUEST_TIMEOUT_MS    deadline of one GraphQL request (30000)
  MAX_BODY_BYTES        largest request body (10485760)
  MAX_BULK_ITEMS        most items in one call (10000)
  INTROSPECTION         on or off (on)
  COALESCE_WRITES       on or off: send small bulk updates that meet as one (on)
  SHUTDOWN_GRACE_MS     how long a stop waits for calls in flight (10000)
  LOG_LEVEL             debug, info, warn or error (info)

  The embedded store, the default:
  DATABASE_URL          sqlite:PATH or sqlite::memory: (sqlite:data/kb.db)
  API_TOKEN             the tokens it accepts, separated by commas (generated and kept)
  DEMO_DATA             put the demo into an empty store: true or false (true)

  The service, where UPSTREAM_URL is set:
  UPSTREAM_URL          its base URL
  UPSTREAM_API_TOKEN    sent where the caller brings no token; needs a loopback HOST
  UPSTREAM_TIMEOUT_MS   deadline of one upstream call (10000)
  UPSTREAM_BULK_SIZE    items per upstream PUT (100)
  MAX_UPSTREAM_CALLS    upstream reads that one query may cost (60)
`;
