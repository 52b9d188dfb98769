import type { LogLevel } from '../../core/base/log.ts';

/**
 * The options of a gateway. Each one is a setting of the command line, by another name and with the same rules and
 * defaults, except where it says so. The environment is not read.
 */
export interface GatewayOptions {
  /** The knowledge base: the embedded store, or the service. */
  readonly backend: StoreOptions | ServiceOptions;
  /** The path under which the gateway is mounted, as in the URLs of requests: `/kb` for `/kb/graphql`. None by default. */
  readonly basePath?: string | undefined;
  /** Requires a JWT of GraphQL clients. Without it or `authenticate`, callers send an API token. */
  readonly clients?: ClientOptions | undefined;
  /**
   * Identifies the caller of a GraphQL or MCP request, by a session of your own, instead of `clients`. It gets the
   * request without its body, and may take as long as `limits.requestTimeoutMs`; the signal of the request aborts when
   * nobody waits any more. An error that it throws is logged, and answered by a 500 without its text.
   */
  readonly authenticate?: ((request: Request) => Promise<HostCaller | null> | HostCaller | null) | undefined;
  readonly limits?: LimitOptions | undefined;
  /** Web origins whose pages may call the gateway, exactly as browsers send them: `https://app.example`. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** False hides the schema, `/schema.graphql` and `/possible-types.json`. */
  readonly introspection?: boolean | undefined;
  /** False sends each bulk update alone. By default, small ones of one token that arrive together are one call. */
  readonly coalesceWrites?: boolean | undefined;
  readonly trustedDocuments?: TrustedDocumentOptions | undefined;
  /** False does not serve `/console`. True by default, except without introspection or with `trustedDocuments.mode: 'only'`. */
  readonly console?: boolean | undefined;
  /** The console signs people in by OpenID Connect. It needs `clients` of the same issuer. */
  readonly consoleSignIn?: ConsoleSignInOptions | undefined;
  /** Tools for AI clients at `/mcp`. */
  readonly mcp?: McpRouteOptions | undefined;
  /** Records every write in a file. */
  readonly audit?: AuditFileOptions | undefined;
  /** Jobs and idempotency keys. */
  readonly state?: StateOptions | undefined;
  /** The proxy in front of the service and of the keys of clients. None by default. */
  readonly proxy?: ProxyOptions | undefined;
  /** Serves `/metrics` for Prometheus on a listener of its own. By default nothing is measured. */
  readonly metrics?: MetricsPageOptions | undefined;
  readonly log?: LogOptions | undefined;
  /** The longest time for which `close` waits for in-flight requests, in milliseconds. */
  readonly shutdownGraceMs?: number | undefined;
}

/** The embedded store, which is also served as REST under `/v2`. */
export interface StoreOptions {
  readonly kind: 'store';
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly databaseUrl: string;
  /** The tokens that the store accepts. None is generated. */
  readonly apiTokens: readonly string[];
  /** The most connections to PostgreSQL. */
  readonly databasePoolSize?: number | undefined;
  /** True puts the demo into an empty database. False by default, unlike the command line. */
  readonly demoData?: boolean | undefined;
}

/** The service, to which calls are forwarded. */
export interface ServiceOptions {
  readonly kind: 'service';
  /** The base URL of the service, without `/v2`. */
  readonly url: string;
  /**
   * The service's token (service credential), used for clients with a JWT, for those that `authenticate` identifies, or
   * else for callers with one of `apiTokens`.
   */
  readonly apiToken?: string | undefined;
  /**
   * The gateway's own tokens. Required with `apiToken` where neither `clients` nor `authenticate` is set. They are
   * never sent to the service.
   */
  readonly apiTokens?: readonly string[] | undefined;
  /** The longest time of one call to the service, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The most items in one call to the service. */
  readonly bulkSize?: number | undefined;
  /** False: an update without `hidden` is sent as it is. By default a hidden article stays hidden, which may cost reads. */
  readonly keepHidden?: boolean | undefined;
  /** How long a response of the service may be used again, in seconds; 0 means never. */
  readonly readCacheSeconds?: number | undefined;
  /** The bytes of all responses that are kept. */
  readonly readCacheBytes?: number | undefined;
}

/** The JWTs of clients. Either `jwksUrl` or `publicKey` is needed. */
export interface ClientOptions {
  /** The keys that sign the JWTs: an https URL, or http to this machine. */
  readonly jwksUrl?: string | undefined;
  /** The only key, as PEM. */
  readonly publicKey?: string | undefined;
  /** `iss` of every JWT. */
  readonly issuer: string;
  /** `aud` of every JWT. */
  readonly audience: string;
  /** The claim that lists `read`, `articles:write`, `articles:publish` and `groups:write`: `scope` by default. */
  readonly scopeClaim?: string | undefined;
}

/** The client is a public one, with the redirect URI `/console/signed-in` below the path of the gateway. */
export interface ConsoleSignInOptions {
  readonly issuer: string;
  readonly clientId: string;
}

/** A caller that your server has identified. It is treated as one with a JWT of that subject and those scopes. */
export interface HostCaller {
  /** Identifies the caller uniquely, by at most 1,024 characters. Jobs and idempotency keys are FORBIDDEN without it. */
  readonly subject?: string | null | undefined;
  /** Any of `read`, `articles:write`, `articles:publish` and `groups:write`. Others are ignored. */
  readonly scopes: readonly string[];
}

/** Bounds on requests. The defaults are those of the settings in the README. Other bounds are constants. */
export interface LimitOptions {
  /** The longest time of one GraphQL request, in milliseconds. */
  readonly requestTimeoutMs?: number | undefined;
  /** The largest request body; a larger one gets 413. */
  readonly maxBodyBytes?: number | undefined;
  /** The most items in one bulk update. */
  readonly maxBulkItems?: number | undefined;
  /** The most requests of one caller in a minute; 0 means no limit. */
  readonly callerRequestsPerMinute?: number | undefined;
  /** The most reads from the service that one query may cost. It has no effect over the store. */
  readonly maxUpstreamCalls?: number | undefined;
  /** The deepest nesting of fields. */
  readonly maxQueryDepth?: number | undefined;
}

export interface TrustedDocumentOptions {
  /** A JSON file of documents, which clients send by their IDs. */
  readonly path: string;
  /** `only`: no other document is executed. `also` by default. */
  readonly mode?: 'also' | 'only' | undefined;
}

export interface McpRouteOptions {
  /** False does not serve `/mcp`. */
  readonly http?: boolean | undefined;
  /** `off` by default. `preview`: tools for previews. `on`: also tools for writes, each of which needs its preview first. */
  readonly writes?: 'off' | 'preview' | 'on' | undefined;
}

export interface AuditFileOptions {
  readonly path: string;
  /** `closed` by default: a write that can't be recorded is refused. `open`: it is sent nevertheless. */
  readonly onFailure?: 'closed' | 'open' | undefined;
}

export interface StateOptions {
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. Over the store, the default is the store's own database. */
  readonly url?: string | undefined;
  /** `closed` by default: group writes fail, unsent, while the state that several gateways share cannot be reached. */
  readonly onFailure?: 'closed' | 'open' | undefined;
  /** The most items in one job. */
  readonly maxJobItems?: number | undefined;
  /** The most bytes that are kept of all jobs and keys at one time. */
  readonly maxBytes?: number | undefined;
  /** How long a job that is submitted in parts waits for its next part. */
  readonly jobOpenSeconds?: number | undefined;
  /** How long the results of jobs and the answers to idempotency keys are kept. */
  readonly jobKeepDays?: number | undefined;
}

export interface ProxyOptions {
  /** The proxy for https URLs. */
  readonly https?: string | undefined;
  /** The proxy for http URLs. */
  readonly http?: string | undefined;
  /** Hosts that are called without the proxy. */
  readonly except?: readonly string[] | undefined;
}

export interface MetricsPageOptions {
  /** 0 takes a free port, which is in a line of the log. */
  readonly port: number;
  readonly host?: string | undefined;
}

export interface LogOptions {
  /** `warn` by default, unlike the command line: `info` adds a line for each request. */
  readonly level?: LogLevel | undefined;
  /** `json` where `write` is set, and otherwise as on the command line. */
  readonly format?: 'json' | 'pretty' | undefined;
  /** Gets each line, with its line feed, instead of stdout. */
  readonly write?: ((line: string) => void) | undefined;
}
