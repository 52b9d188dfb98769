import type { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that name the proxy of each scheme. As for curl and Node, the one in lower case takes precedence. */
const PROXY_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['https:', ['https_proxy', 'HTTPS_PROXY']],
  ['http:', ['http_proxy', 'HTTP_PROXY']],
]);

/** The settings with the URLs of the hosts that the gateway sends requests to. */
const TARGETS = ['UPSTREAM_URL', 'CLIENT_JWKS_URL'] as const;

type TargetSettings = Readonly<Partial<Record<(typeof TARGETS)[number], string | undefined>>>;

/** The proxy for requests to a URL; null when they are sent directly. */
export function proxyUrlFor(target: string, environment: Environment): string | null {
  const variable = proxyVariableFor(target, environment);
  return variable === null ? null : (parseProxyUrl(environment[variable])?.href ?? null);
}

/** The variables that name a proxy for one of the hosts. */
export const proxyVariablesFor = (settings: Readonly<Record<string, unknown>>, environment: Environment) => [
  ...new Set(TARGETS.flatMap((target) => proxyVariableFor(String(settings[target] ?? ''), environment) ?? [])),
];

/** Adds the rules about proxies: those that are used can be used, and none could change the keys of clients. */
export function withProxyRules<T extends z.ZodType<TargetSettings>>(schema: T, environment: Environment): T {
  const isUsable = (name: string) => parseProxyUrl(environment[name]) !== null;
  const isUsed = (name: string, settings: TargetSettings) =>
    TARGETS.some((target) => proxyVariableFor(settings[target] ?? '', environment) === name);
  const when = () => true;
  const withVariables = [...PROXY_NAMES.values()].flat().reduce(
    (ruled, name) =>
      ruled.refine((settings) => isUsable(name) || !isUsed(name, settings), {
        path: [name],
        error: PROXY_FORM,
        when,
      }),
    schema,
  );
  return withVariables.refine(({ CLIENT_JWKS_URL: url = '' }) => !isReadableByProxy(url, environment), {
    path: ['CLIENT_JWKS_URL'],
    error: 'with a proxy for http, an https URL or a host that NO_PROXY lists: the proxy could send keys of its own',
    when,
  });
}

const isReadableByProxy = (url: string, environment: Environment): boolean =>
  /^http:/iu.test(url) && proxyVariableFor(url, environment) !== null;

const PROXY_FORM = 'the http or https URL of a proxy, such as http://proxy.example:3128; NO_PROXY excepts hosts';

function proxyVariableFor(target: string, environment: Environment): string | null {
  const url = URL.parse(target);
  const name = PROXY_NAMES.get(url?.protocol ?? '')?.find((variable) => environment[variable]);
  if (url === null || name === undefined) return null;
  const exceptions = environment['no_proxy'] || environment['NO_PROXY'] || '';
  return exceptions.split(/[\s,]+/u).some((exception) => isExcepted(url, exception)) ? null : name;
}

/** A scheme may be left out, as for curl. */
function parseProxyUrl(text = ''): URL | null {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//iu.test(text) ? text : `http://${text}`);
  const isProxy = url !== null && /^https?:$/u.test(url.protocol) && url.pathname === '/' && !/[?#]/u.test(text);
  return isProxy && isDecodable(url.username + url.password) ? url : null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['https:', '443'],
  ['http:', '80'],
]);

/** An exception is `*`, a host with all below it, an IP address or an IPv4 network in CIDR form; a port may follow. */
function isExcepted({ protocol, hostname, port }: URL, exception: string): boolean {
  if (exception === '*') return true;
  const groups = /^(?:\[(?<address>[^\]]+)\]|(?<name>[^:]+))(?::(?<port>\d+))?$/u.exec(exception)?.groups;
  const excepted = (groups?.['address'] ?? groups?.['name'] ?? exception).replace(/^\*?\./u, '').toLowerCase();
  const actualPort = port === '' ? DEFAULT_PORTS.get(protocol) : port;
  if (excepted === '' || (groups?.['port'] ?? actualPort) !== actualPort) return false;
  const host = hostname.replace(/^\[|\]$|\.$/gu, '');
  return host === excepted || host.endsWith(`.${excepted}`) || isInNetwork(host, excepted);
}

function isInNetwork(host: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const [address, start] = [ipv4Number(host), ipv4Number(base)];
  if (address === null || start === null || !/^\d{1,2}$/u.test(bits) || Number(bits) > 32) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(address / size) === Math.floor(start / size);
}

function ipv4Number(text: string): number | null {
  const parts = /^\d{1,3}(?:\.\d{1,3}){3}$/u.test(text) ? text.split('.').map(Number) : [];
  return parts.length === 4 && parts.every((part) => part < 256) ? parts.reduce((sum, part) => sum * 256 + part) : null;
}
