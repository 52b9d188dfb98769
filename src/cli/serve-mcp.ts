import { createAppExecution, jsonBoundsOf } from '../app.ts';
import { identifyCaller } from '../auth/identify-caller.ts';
import type { Backend } from '../backend/backend.ts';
import type { Log } from '../base/log.ts';
import { err, ok, type Result } from '../base/result.ts';
import { type Config, maxUpstreamCallsOf, misspeltSettings } from '../config.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { RequestRecord } from '../domain/callers/request-record.ts';
import { noMetrics } from '../domain/metrics.ts';
import type { PreparedDocuments } from '../execution/prepared-documents.ts';
import type { Jobs } from '../jobs/create-jobs.ts';
import type { Access } from './access.ts';
import { loadConfig } from './load-config.ts';
import { startFilesOf, trackNewFiles } from './new-files.ts';
import { openLog } from './open-log.ts';
import { packageVersion } from './package-version.ts';
import { openProcessInputs, openProcessParts } from './server/process-parts.ts';
import { exitSoon, listenForStopSignals, type StopSignals } from './stop-signals.ts';
import { standardStreams } from './terminal.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Serves MCP to one client over stdin and stdout, with the settings of `serve`, until the client ends its stream. The
 * log is on stderr. The error is the reason why it could not start.
 */
export async function serveMcp(variables: Variables): Promise<Result<void, string>> {
  const config = loadConfig({});
  if (!config.ok) return config;
  const log = openLog(config.value.log, standardStreams().stderr);
  for (const setting of misspeltSettings()) log('warn', 'a variable looks like a setting and is none', { ...setting });
  const files = await trackNewFiles(startFilesOf(config.value));
  try {
    return await serveClient({ config: config.value, variables, log, onServing: files.keep });
  } finally {
    await files.remove();
  }
}

interface ClientContext {
  readonly config: Config;
  readonly variables: Variables;
  readonly log: Log;
  readonly onServing: () => void;
}

async function serveClient({ config, variables, log, onServing }: ClientContext): Promise<Result<void, string>> {
  // Clients choose tools and not documents, so that the trusted ones are not read.
  const inputs = await openProcessInputs({ config, hasTrustedDocuments: false, log });
  if (!inputs.ok) return inputs;
  const { audit, documents, access } = inputs.value;
  const credentials = credentialsOf(variables, access);
  if (!credentials.ok) return credentials;
  const signals = listenForStopSignals();
  const opened = new AsyncDisposableStack();
  try {
    const context = { access, audit, tracer: null, metrics: noMetrics, log };
    const { backend, jobs } = await openProcessParts(config, context, opened);
    onServing();
    const callerOf = (isGone: () => boolean) => identify(credentials.value, { config, access, backend, isGone });
    await converse({ config, documents, backend, jobs, callerOf, signals, log });
    return ok(undefined);
  } finally {
    await opened.disposeAsync();
    exitSoon();
  }
}

interface ConversationParts {
  readonly config: Config;
  readonly documents: PreparedDocuments;
  readonly backend: Backend;
  readonly jobs: Jobs;
  readonly callerOf: (isGone: () => boolean) => Caller | Promise<Caller>;
  readonly signals: StopSignals;
  readonly log: Log;
}

async function converse({ config, jobs, signals, ...parts }: ConversationParts): Promise<void> {
  const { documents, backend, callerOf, log } = parts;
  const { articleUpdateJobs, idempotencyKeys: keys } = jobs;
  const { introspection, maxBulkItems, maxBodyBytes, mcp, shutdownGraceMs } = config;
  const limits = { maxBulkItems, maxUpstreamCalls: maxUpstreamCallsOf(config) };
  const stop = new AbortController();
  void signals.next().then(() => stop.abort());
  const { serveStdio } = await import('../mcp/stdio.ts');
  await serveStdio({
    schema: documents.schema,
    execution: createAppExecution({ documents, backend, jobs: articleUpdateJobs, keys, limits, introspection, log }),
    keys,
    writes: mcp.writes,
    version: packageVersion(),
    callerOf,
    input: process.stdin,
    output: standardStreams().stdout,
    maxMessageBytes: maxBodyBytes,
    jsonBounds: jsonBoundsOf(maxBulkItems),
    stop: stop.signal,
    graceMs: shutdownGraceMs,
    log,
  });
}

/** The headers that a client over HTTP would send. */
type Credentials = Readonly<Record<string, string>>;

/** Without `KB_API_TOKEN` the process is the caller of its own token, where it has one. */
function credentialsOf(variables: Variables, { clients, tokens }: Access): Result<Credentials, string> {
  const { KB_API_TOKEN: sent, KB_JWT: jwt } = variables;
  if (clients !== null && !jwt) return err('set KB_JWT to a JWT of the client, since CLIENT_JWT_ISSUER is set');
  const token = sent || (clients === null ? tokens[0] : undefined);
  if (clients === null && !token) return err('set KB_API_TOKEN to the API token that the service accepts');
  for (const secret of [token, jwt])
    if (secret && !/^[\x21-\x7e]{1,8192}$/u.test(secret))
      return err('KB_API_TOKEN and KB_JWT have visible ASCII characters only');
  return ok({ ...(token && { api_token: token }), ...(clients !== null && { authorization: `Bearer ${jwt}` }) });
}

interface CallOptions {
  readonly config: Config;
  readonly access: Access;
  readonly backend: Backend;
  readonly isGone: () => boolean;
}

function identify(
  credentials: Credentials,
  { config, access, backend, isGone }: CallOptions,
): Caller | Promise<Caller> {
  const request = new RequestRecord();
  for (const [name, value] of Object.entries(credentials)) request.tokens.addHeader(name, value);
  const headers = { get: (name: string) => credentials[name] ?? null };
  const { requestTimeoutMs } = config;
  return identifyCaller({ headers, requestTimeoutMs, address: '', isGone, request }, access, backend);
}
