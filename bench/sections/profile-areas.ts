/** A V8 CPU profile, as far as it is read. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

export interface AreaShare {
  readonly area: string;
  /** Of the time in which the process was busy. */
  readonly share: number;
}

/** V8's own frames. Native code outside JavaScript is the event loop, the sockets and the kernel's part of them. */
const ENGINE_AREAS: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'sockets and event loop, native',
};

/** Which packages do one thing together; a name that ends in a slash stands for all of that scope. */
const PACKAGE_AREAS: Readonly<Record<string, readonly string[]>> = {
  got: [
    ...[
      'got',
      'responselike',
      'lowercase-keys',
      'keyv',
      '@keyv/',
      'decompress-response',
      'mimic-response',
      'chunk-data',
    ],
    ...['cacheable-request', 'normalize-url', 'http-cache-semantics', 'get-stream', 'is-stream', '@sec-ant/'],
    ...['byte-counter', '@sindresorhus/is', 'uint8array-extras'],
  ],
  Yoga: ['graphql-yoga', '@graphql-yoga/', '@whatwg-node/', '@envelop/', '@repeaterjs/'],
  'graphql-js: coercion, parsing': ['graphql'],
  'execution: @graphql-tools': ['@graphql-tools/', 'dataloader', '@pothos/'],
};

const NODE_AREA = 'node: HTTP, sockets, streams, timers';

/** How the CPU time is spread: each sample counts for the innermost frame of ours or of a package. */
export function areasOf(profile: CpuProfile): readonly AreaShare[] {
  const areas = areaOfEachNode(profile.nodes);
  const micros = new Map<string, number>();
  for (const [index, id] of profile.samples.entries()) {
    const area = areas.get(id);
    if (area) micros.set(area, (micros.get(area) ?? 0) + (profile.timeDeltas[index] ?? 0));
  }
  const total = [...micros.values()].reduce((sum, value) => sum + value, 0);
  return [...micros]
    .map(([area, value]) => ({ area, share: value / total }))
    .toSorted((one, other) => other.share - one.share);
}

/** Node's own frames count for who called them, so that what got asks of node:http is got's. */
function areaOfEachNode(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const areas = new Map<number, string>();
  const visit = (node: ProfileNode, inherited: string) => {
    if (isUncounted(node)) return;
    const area = areaOf(node) ?? inherited;
    areas.set(node.id, area);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, area);
    }
  };
  const [root] = nodes;
  if (root) visit(root, NODE_AREA);
  return areas;
}

/** The process was idle, or busy with the profile itself. */
const isUncounted = ({ callFrame: { functionName, url } }: ProfileNode) =>
  functionName === '(idle)' || url === 'node:inspector';

function areaOf({ callFrame: { functionName, url } }: ProfileNode): string | null {
  const engine = ENGINE_AREAS[functionName];
  if (engine !== undefined) return engine;
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(url) ?? [];
  if (name !== undefined) return areaOfPackage(name);
  const [, room] = /\/dist\/((?:backend\/)?[^/]+)(?:\/|\.js)/u.exec(url) ?? [];
  return room === undefined ? null : `src/${room}`;
}

function areaOfPackage(name: string): string {
  const isNamed = (entry: string) => (entry.endsWith('/') ? name.startsWith(entry) : name === entry);
  const found = Object.entries(PACKAGE_AREAS).find(([, packages]) => packages.some(isNamed));
  return found?.[0] ?? name;
}
