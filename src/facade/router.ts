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

/**
 * Finds the routes of a path, of which the first that matches counts. Literal segments ignore case, and so does the
 * service's framework. One trailing slash is ignored.
 */
export function createRouter(routes: readonly FacadeRoute[]): Router {
  const templates = [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => ({
    path,
    segments: path.split('/'),
    routes: new Map(ofPath.map((route) => [route.method, route])),
  }));
  return (pathname) => {
    const segments = decodeSegments(pathname.replace(/(?<=.)\/$/u, ''));
    if (segments === null) return 'malformed';
    for (const template of templates) {
      const params = matchParams(template.segments, segments);
      if (params) return { path: template.path, routes: template.routes, params };
    }
    return 'unknown';
  };
}

export const allowedMethods = ({ routes }: PathMatch): string =>
  [...routes.keys()]
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
    .join(', ');

function decodeSegments(pathname: string): readonly string[] | null {
  try {
    return pathname.split('/').map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function matchParams(template: readonly string[], segments: readonly string[]): ReadonlyMap<string, string> | null {
  if (template.length !== segments.length) return null;
  const params = new Map<string, string>();
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith('{') && segment !== '') params.set(expected.slice(1, -1), segment);
    else if (segment.toLowerCase() !== expected.toLowerCase()) return null;
  }
  return params;
}
