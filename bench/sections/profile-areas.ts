/** The fields of a V8 CPU profile that are read. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

export interface AreaShare {
  readonly area: string;
  /** The share of the time in which the process was busy. */
  readonly share: number;
}

/** Frames of V8 itself. Native code outside JavaScript is the event loop, sockets and kernel. */
const ENGINE_AREAS: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'sockets and event loop, native',
};

/** Packages that belong together. A name that ends in a slash stands for all packages of that scope. */
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

/** Divides the CPU time: each sample counts for its innermost frame of kb-gateway or of a package. */
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

/** Frames of Node count for their callers, so that the time in node:http under got is got's. */
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

/** True for idle time and for the time of the profiler itself. */
const isUncounted = ({ callFrame: { functionName, url } }: ProfileNode) =>
  functionName === '(idle)' || url === 'node:inspector';

function areaOf({ callFrame: { functionName, url } }: ProfileNode): string | null {
  const engine = ENGINE_AREAS[functionName];
  if (engine !== undefined) return engine;
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(url) ?? [];
  if (name !== undefined) return areaOfPackage(name);
  const [, folder] = /\/src\/((?:backend\/)?[^/]+)(?:\/|\.ts)/u.exec(url) ?? [];
  return folder === undefined ? null : `src/${folder}`;
}

function areaOfPackage(name: string): string {
  const isNamed = (entry: string) => (entry.endsWith('/') ? name.startsWith(entry) : name === entry);
  const found = Object.entries(PACKAGE_AREAS).find(([, packages]) => packages.some(isNamed));
  return found?.[0] ?? name;
}
