/** The route of a request, by its path. */
export type Route = 'graphql' | 'facade' | 'schema' | 'live' | 'ready' | 'start' | 'unknown';

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/graphql', 'graphql'],
  ['/schema.graphql', 'schema'],
  ['/health/live', 'live'],
  ['/health/ready', 'ready'],
  ['/', 'start'],
]);

/**
 * The one place where a route is decided; whatever depends on the route is given what this returns. The target is taken as
 * it came. That a URL made of it names the same path is for `createHeadCheck` to see to.
 */
export function routeOf(target: string): Route {
  // Nearly all requests have this target.
  if (target === '/graphql') return 'graphql';
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  return ROUTES.get(path) ?? (/^\/v2(?:\/|$)/iu.test(path) ? 'facade' : 'unknown');
}
