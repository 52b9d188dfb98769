import type { Log } from '../core/base/log.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import type { Caller } from '../core/callers/caller.ts';
import { createRequestFacts } from '../core/callers/request-facts.ts';
import { noMetrics } from '../core/metrics.ts';
import { createExecution } from '../graphql/execution/execution.ts';
import { jsonBoundsOf } from '../server/app.ts';
import { identifyCaller } from '../server/auth/identify-caller.ts';
import { type Config, misspeltSettings } from '../server/config.ts';
import { packageVersion } from '../server/package-version.ts';
import type { Access } from '../server/process/access.ts';
import { logWarnings, openLog } from '../server/process/open-log.ts';
import { openPersistedDocuments } from '../server/process/persisted-documents.ts';
import {
  openProcessInputs,
  openProcessParts,
  type ProcessInputs,
  type ProcessParts,
} from '../server/process/process-parts.ts';
import { standardStreams } from '../server/process/terminal.ts';
import type { Variables } from './command-options.ts';
import { loadConfig } from './load-config.ts';
import { withNewFiles } from './new-files.ts';
import { exitSoon, listenForStopSignals } from './stop-signals.ts';

/**
 * Serves MCP to one client over stdin and stdout, with the settings of `serve`, until the client ends its stream. The
 * log is on stderr. The error is the reason why it could not start.
 */
export async function serveMcp(variables: Variables): Promise<Result<void, string>> {
  const config = loadConfig({});
  if (!config.ok) return config;
  const { log } = openLog(config.value.log, standardStreams().stderr);
  logWarnings(config.value, misspeltSettings(), log);
  return withNewFiles(config.value, (onServing) => serveClient({ config: config.value, variables, log, onServing }));
}

interface ClientContext {
  readonly config: Config;
  readonly variables: Variables;
  readonly log: Log;
  readonly onServing: () => void;
}

async function serveClient({ config, variables, log, onServing }: ClientContext): Promise<Result<void, string>> {
  // MCP clients choose tools instead of documents, so the trusted documents are not read.
  const inputs = await openProcessInputs(config, openPersistedDocuments(config, null), { log });
  if (!inputs.ok) return inputs;
  const credentials = credentialsOf(variables, inputs.value.access);
  if (!credentials.ok) return credentials;
  const signals = listenForStopSignals();
  const opened = new AsyncDisposableStack();
  try {
    const parts = await openProcessParts(config, { ...inputs.value, tracer: null, metrics: noMetrics, log }, opened);
    onServing();
    const stop = new AbortController();
    void signals.next().then(() => stop.abort());
    await converse(config, { ...inputs.value, ...parts, credentials: credentials.value, log }, stop.signal);
    return ok(undefined);
  } finally {
    await opened.disposeAsync();
    exitSoon();
  }
}

interface Conversation extends ProcessInputs, ProcessParts {
  readonly credentials: Credentials;
  readonly log: Log;
}

async function converse(config: Config, conversation: Conversation, stop: AbortSignal): Promise<void> {
  const { documents, backend, jobs, log } = conversation;
  const { articleUpdateJobs, idempotencyKeys: keys } = jobs;
  const { introspection, maxBulkItems, mcp } = config;
  const limits = { maxBulkItems };
  const { serveStdio } = await import('../mcp/stdio.ts');
  await serveStdio({
    schema: documents.schema,
    execution: createExecution({ documents, backend, jobs: articleUpdateJobs, limits, introspection, log }),
    keys,
    writes: mcp.writes,
    version: packageVersion(),
    callerOf: (isGone) => identify(config, conversation, isGone),
    input: process.stdin,
    output: standardStreams().stdout,
    maxMessageBytes: config.maxBodyBytes,
    jsonBounds: jsonBoundsOf(maxBulkItems),
    stop,
    graceMs: config.shutdownGraceMs,
    log,
  });
}

/** The headers that a client over HTTP would send. */
type Credentials = Readonly<Record<string, string>>;

/** Without `KB_API_TOKEN`, the process is the caller of its own token, if it has one. */
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

function identify(
  { requestTimeoutMs }: Config,
  { credentials, access }: Conversation,
  isGone: () => boolean,
): Promise<Caller> {
  const request = createRequestFacts();
  for (const [name, value] of Object.entries(credentials)) request.tokens.addHeader(name, value);
  const headers = { get: (name: string) => credentials[name] ?? null };
  return identifyCaller({ headers, requestTimeoutMs, address: '', isGone, request }, access);
}
