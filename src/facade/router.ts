import type { Route } from './route-handler.ts';

/** The routes of one path, by method, and what stands in the place of its parameters. */
export interface Match {
  readonly routes: ReadonlyMap<string, Route>;
  readonly params: ReadonlyMap<string, string>;
}

/** `malformed`: the path has a percent-encoding that stands for no text. */
export type Router = (pathname: string) => Match | 'unknown' | 'malformed';

interface Template {
  readonly segments: readonly string[];
  readonly routes: Map<string, Route>;
}

/**
 * Literal segments ignore case and win over parameters, from the left; the path decides before the method does. One
 * slash at the end is ignored. Both are so in the service's framework.
 */
export function createRouter(routes: readonly Route[]): Router {
  const templates = new Map<string, Template>();
  for (const route of routes) {
    const template = templates.get(route.path) ?? { segments: route.path.split('/'), routes: new Map() };
    template.routes.set(route.method, route);
    templates.set(route.path, template);
  }
  const inOrder = [...templates.values()].sort((a, b) => rankOf(a) - rankOf(b));
  return (pathname) => {
    const segments = decodeSegments(pathname.replace(/(?<=.)\/$/u, ''));
    if (segments === null) return 'malformed';
    for (const template of inOrder) {
      const params = paramsOf(template, segments);
      if (params) return { routes: template.routes, params };
    }
    return 'unknown';
  };
}

const isParam = (segment: string): boolean => segment.startsWith('{');

/** As a binary fraction: the further left a parameter stands, the later its template is tried. */
const rankOf = ({ segments }: Template): number =>
  segments.reduce((rank, segment, index) => rank + (isParam(segment) ? 2 ** -index : 0), 0);

function decodeSegments(pathname: string): readonly string[] | null {
  try {
    return pathname.split('/').map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function paramsOf(template: Template, segments: readonly string[]): ReadonlyMap<string, string> | null {
  if (template.segments.length !== segments.length) return null;
  const params = new Map<string, string>();
  for (const [index, expected] of template.segments.entries()) {
    const segment = segments[index] ?? '';
    if (isParam(expected) && segment !== '') params.set(expected.slice(1, -1), segment);
    else if (segment.toLowerCase() !== expected.toLowerCase()) return null;
  }
  return params;
}
