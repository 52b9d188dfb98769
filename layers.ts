import type { IConfiguration } from 'dependency-cruiser';

type Table = Readonly<Record<string, readonly string[]>>;

const BACKEND = ['backend/backend.ts', 'backend/open-backend.ts'];
const SHARED_STATE = ['state/shared/shared-state.ts', 'state/state-unavailable.ts'];
const STATE_PORTS = ['state/codec.ts', 'state/ledger.ts', 'state/state-unavailable.ts'];
const JOBS = ['jobs/article-update-jobs.ts', 'backend/writes/idempotency-keys.ts'];
const SCHEMA_PORTS = ['backend/backend.ts', 'backend/writes', 'jobs/article-update-jobs.ts'];
const SCHEMA_COMMON = [
  'schema/builder.ts',
  'schema/connections.ts',
  'schema/context.ts',
  'schema/field-changes.ts',
  'schema/graphql-errors.ts',
  'schema/loaders.ts',
  'schema/mutation-errors.ts',
  'schema/nodes.ts',
  'schema/response-budget.ts',
  'schema/mutations.ts',
  'schema/selected-fields.ts',
];

// The layers of src: what each folder may import besides itself and base. Imports go down (docs/decisions/0001-layers.md).
// A folder with an empty list imports nothing but itself.
const FOLDERS: Table = {
  base: [],
  domain: ['base'],
  v2: ['domain'],
  'knowledge-base': ['domain', 'v2'],
  database: ['domain'],
  'backend/backend.ts': ['domain'],
  'state/ledger.ts': ['domain'],
  'state/shared/shared-state.ts': ['domain'],
  'state/state-unavailable.ts': [],
  'state/codec.ts': ['domain'],
  'jobs/article-update-jobs.ts': ['domain', 'backend/backend.ts'],
  'backend/writes/idempotency-keys.ts': ['domain', 'backend/backend.ts', 'state/codec.ts'],
  state: ['domain', 'database'],
  jobs: ['domain', 'backend/backend.ts', 'backend/writes/idempotency-keys.ts', ...STATE_PORTS],
  'backend/rest/calls': ['domain', 'v2', 'backend/backend.ts', ...SHARED_STATE],
  'backend/rest/read-cache': ['domain', 'v2', 'backend/backend.ts', 'backend/rest/calls', ...SHARED_STATE],
  'backend/rest/recent-writes': ['domain'],
  'backend/rest/reads': [
    'domain',
    'v2',
    'backend/backend.ts',
    'backend/rest/calls',
    'backend/rest/read-cache',
    'backend/rest/recent-writes',
  ],
  'backend/rest/writes': [
    'domain',
    'v2',
    'backend/backend.ts',
    'backend/rest/calls',
    'backend/rest/reads',
    'backend/rest/recent-writes',
    'backend/writes/declarations.ts',
    ...SHARED_STATE,
  ],
  'backend/rest': ['domain', 'v2', 'backend/backend.ts', 'backend/writes/declarations.ts', ...SHARED_STATE],
  'backend/local': ['domain', 'knowledge-base', 'database', 'backend/backend.ts'],
  'backend/writes/declarations.ts': ['domain', 'backend/backend.ts', 'state/codec.ts'],
  'backend/writes': ['domain', 'backend/backend.ts', 'state/codec.ts'],
  schema: ['domain', ...SCHEMA_PORTS],
  // What the resources of the schema share imports none of them; reader groups link to articles, and never the reverse.
  ...Object.fromEntries(SCHEMA_COMMON.map((name) => [name, ['domain', ...SCHEMA_PORTS, ...SCHEMA_COMMON]])),
  'schema/articles': ['domain', ...SCHEMA_PORTS, ...SCHEMA_COMMON],
  'schema/reader-groups': ['domain', ...SCHEMA_PORTS, 'schema/articles', ...SCHEMA_COMMON],
  facade: ['domain', 'v2', 'backend/backend.ts', 'http/requests', 'http/responses'],
  auth: ['domain'],
  'backend/open-backend.ts': ['domain', 'backend', 'config.ts', 'state/shared/shared-state.ts'],
  execution: ['domain', 'schema', 'backend/backend.ts', 'backend/writes'],
  'execution/executor': ['base/json.ts', 'base/limits.ts', 'base/text.ts'],
  'http/route.ts': ['domain'],
  'http/memory.ts': ['domain'],
  'http/responses': ['domain', 'http/route.ts', 'http/memory.ts'],
  'http/requests': ['domain', 'http/route.ts', 'http/memory.ts', 'http/responses'],
  'http/graphql': ['domain', 'execution', 'http/memory.ts', 'http/responses', 'http/requests'],
  'http/handlers': ['domain', 'http/responses', 'http/requests'],
  http: ['domain', 'execution'],
  mcp: [
    'domain',
    'execution',
    'http',
    'schema/graphql-errors.ts',
    'backend/backend.ts',
    'state/codec.ts',
    'backend/writes/idempotency-keys.ts',
  ],
  'app.ts': ['domain', 'auth', 'schema', 'facade', 'v2', 'execution', 'http', 'mcp', 'backend/backend.ts', ...JOBS],
  telemetry: ['domain', 'config'],
  cli: [
    'domain',
    'auth',
    'telemetry',
    'execution/execution.ts',
    'execution/prepared-documents.ts',
    'http',
    'mcp',
    'app.ts',
    'config',
    'config.ts',
    'schema/schema.ts',
    ...BACKEND,
    'jobs',
    'state',
  ],
  'cli/knowledge-base': [
    'domain',
    'cli',
    'config',
    'config.ts',
    'v2',
    'knowledge-base',
    ...BACKEND,
    'backend/local',
    'database/sqlite/backup.ts',
  ],
  'cli/bulk-update/export-csv.ts': [
    'domain',
    'knowledge-base',
    'cli/bulk-update',
    'cli/command-line.ts',
    'cli/stop-signals.ts',
    'cli/terminal.ts',
    'cli/knowledge-base',
  ],
  'cli/bulk-update': [
    'domain',
    'knowledge-base',
    'cli/command-line.ts',
    'cli/small-heap.ts',
    'cli/terminal.ts',
    'cli/stop-signals.ts',
    'cli/knowledge-base/new-file.ts',
  ],
  gateway: [
    'domain',
    'cli/server',
    'cli/open-log.ts',
    'config',
    'config.ts',
    'http/requests/request-record.ts',
    'http/responses',
  ],
  'index.ts': ['gateway'],
  config: ['domain'],
  'config.ts': ['domain', 'config'],
};

// The folders that may import a package or a module of Node; folders that are not named here may not.
const PACKAGES: Table = {
  '@modelcontextprotocol/sdk': ['mcp/mcp-server.ts', 'mcp/stdio.ts', 'mcp/streamable-http.ts'],
  '@opentelemetry/api': Object.keys(FOLDERS),
  '@graphql-yoga/render-graphiql': ['http/handlers'],
  '@opentelemetry/exporter-metrics-otlp-grpc': ['telemetry'],
  '@opentelemetry/exporter-metrics-otlp-http': ['telemetry'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['telemetry'],
  '@opentelemetry/exporter-prometheus': ['telemetry'],
  '@opentelemetry/resources': ['telemetry'],
  '@opentelemetry/sdk-metrics': ['telemetry'],
  '@opentelemetry/sdk-node': ['telemetry'],
  '@opentelemetry/semantic-conventions': ['telemetry'],
  '@pothos/core': ['schema'],
  'cli-progress': ['cli/terminal.ts'],
  'csv-parse': ['cli/bulk-update/csv-rows.ts'],
  'node:process': ['cli/terminal.ts'],
  'node:console': ['cli/terminal.ts'],
  'node:tty': ['cli/terminal.ts', 'cli/open-log.ts'],
  dataloader: ['schema', 'state/shared'],
  got: ['backend/rest/calls'],
  graphql: ['app.ts', 'schema', 'execution', 'http', 'mcp'],
  'graphql-yoga': ['app.ts', 'http'],
  jose: ['auth'],
  kysely: ['database', 'backend/local', 'state'],
  'lru-cache': [
    'backend/rest/read-cache',
    'backend/rest/recent-writes',
    'database',
    'domain/callers',
    'execution/documents',
  ],
  pg: ['database/postgres'],
  yaml: ['knowledge-base/front-matter.ts'],
  zod: ['v2', 'config', 'knowledge-base', 'cli/bulk-update', 'state/codec.ts', 'backend/rest/calls'],
  'node:sqlite': ['database/sqlite'],
  'node:http': ['app.ts', 'http', 'cli', 'gateway', 'backend/rest', 'base/outbound-route.ts', 'auth'],
};
const WITHOUT_NODE = ['base/json', 'domain', 'v2', 'backend/backend.ts', 'config', 'config.ts', 'execution/executor'];

const pathOf = (name: string) => `^src/${name.endsWith('.ts') ? `${name.replace('.', '\\.')}$` : `${name}/`}`;
const moduleOf = (name: string) => (name.startsWith('node:') ? `^(node:)?${name.slice(5)}$` : `^node_modules/${name}/`);
const inside = (name: string) => Object.keys(FOLDERS).filter((other) => other.startsWith(`${name}/`));

const layers = Object.entries(FOLDERS).map(([name, others]) => ({
  name: `imports of ${name}`,
  from: { path: pathOf(name), pathNot: inside(name).map(pathOf) },
  to: { path: '^src/', pathNot: [name, ...others, ...(others.length > 0 ? ['base'] : [])].map(pathOf) },
}));

const packages = Object.entries(PACKAGES).map(([name, folders]) => ({
  name: `importers of ${name}`,
  from: { path: '^src/', pathNot: folders.map(pathOf) },
  to: { path: moduleOf(name) },
}));

const from = { path: '^src/' };
const otherPackages = { path: '^node_modules/', pathNot: Object.keys(PACKAGES).map(moduleOf) };

export const configuration: IConfiguration = {
  forbidden: [
    ...layers,
    ...packages,
    { name: 'no circles', from, to: { circular: true } },
    { name: 'no unresolved imports', from, to: { couldNotResolve: true } },
    { name: 'no other packages', from, to: otherPackages },
    { name: 'no modules of Node', from: { path: WITHOUT_NODE.map(pathOf) }, to: { dependencyTypes: ['core'] } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
