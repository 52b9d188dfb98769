import type { FacadeRoute } from './route-handler.ts';

/** The routes of one path by method, and the values of its parameters. */
export interface PathMatch {
  /** The path with the names of its parameters in braces. */
  readonly path: string;
  readonly routes: ReadonlyMap<string, FacadeRoute>;
  readonly params: ReadonlyMap<string, string>;
}

/** `malformed`: a percent-encoding of the path is not UTF-8. */
type Router = (pathname: string) => PathMatch | 'unknown' | 'malformed';

interface PathTemplate {
  readonly segments: readonly string[];
  readonly routes: Map<string, FacadeRoute>;
}

/**
 * Finds the routes of a path. Literal segments ignore case and take precedence over parameters, from the left. One
 * trailing slash is ignored. The service's framework does the same.
 */
export function createRouter(routes: readonly FacadeRoute[]): Router {
  const templates = new Map<string, PathTemplate>();
  for (const route of routes) {
    const template = templates.get(route.path) ?? { segments: route.path.split('/'), routes: new Map() };
    template.routes.set(route.method, route);
    templates.set(route.path, template);
  }
  const ranked = [...templates.values()].sort((a, b) => rankOf(a) - rankOf(b));
  return (pathname) => {
    const segments = decodeSegments(pathname.replace(/(?<=.)\/$/u, ''));
    if (segments === null) return 'malformed';
    for (const template of ranked) {
      const params = matchParams(template, segments);
      if (params) return { path: template.segments.join('/'), routes: template.routes, params };
    }
    return 'unknown';
  };
}

export const allowedMethods = ({ routes }: PathMatch): string =>
  [...routes.keys()]
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
    .join(', ');

const isParam = (segment: string): boolean => segment.startsWith('{');

/** A binary fraction: the further left a parameter stands, the later its template is tried. */
const rankOf = ({ segments }: PathTemplate): number =>
  segments.reduce((rank, segment, index) => rank + (isParam(segment) ? 2 ** -index : 0), 0);

function decodeSegments(pathname: string): readonly string[] | null {
  try {
    return pathname.split('/').map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function matchParams(template: PathTemplate, segments: readonly string[]): ReadonlyMap<string, string> | null {
  if (template.segments.length !== segments.length) return null;
  const params = new Map<string, string>();
  for (const [index, expected] of template.segments.entries()) {
    const segment = segments[index] ?? '';
    if (isParam(expected) && segment !== '') params.set(expected.slice(1, -1), segment);
    else if (segment.toLowerCase() !== expected.toLowerCase()) return null;
  }
  return params;
}
