import { spawn } from 'node:child_process';
import { createServer } from 'vite';
import { PEOPLE, startIssuer } from './issuer.ts';

const ROOT = new URL('../../..', import.meta.url);

/** The documents of the page, for the gateway: the page sends their IDs only. */
const PERSISTED_DOCUMENTS = new URL('../src/generated/persisted-documents.json', import.meta.url).pathname;

/** Starts a gateway on a free port, with the settings of this process, and returns its URL once it listens. */
function startGateway(settings: Readonly<Record<string, string>>): Promise<string> {
  const env = { LOG_LEVEL: 'warn', ...process.env, ...settings, HOST: '127.0.0.1', PORT: '0' };
  const gateway = spawn(process.execPath, ['src/main.ts', 'serve'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => gateway.kill());
  gateway.once('exit', (code) => process.exit(code ?? 1));
  return new Promise((listening) => {
    let printed = '';
    gateway.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      const url = /listening on (\S+)\s/u.exec(printed)?.[1];
      if (url !== undefined) listening(url);
    });
  });
}

const lines = (...texts: readonly string[]) => process.stdout.write(`${texts.join('\n')}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const ownGateway = process.env['GATEWAY_URL'] || undefined;
if (ownGateway !== undefined && !/^https?:/u.test(URL.parse(ownGateway)?.protocol ?? '')) {
  fail(`GATEWAY_URL must be an http or https URL, such as http://127.0.0.1:4000. This is ${ownGateway}`);
}
// A gateway that runs already has to know the address, so the port does not change.
const { ISSUER_PORT = ownGateway === undefined ? '0' : '4001' } = process.env;
const issuer = await startIssuer(Number(ISSUER_PORT)).catch(({ message }) =>
  fail(`The issuer cannot listen: ${message}`),
);
const settings = { ...issuer.settings, PERSISTED_DOCUMENTS };
process.env['ISSUER_URL'] = issuer.url;
process.env['GATEWAY_URL'] = ownGateway ?? (await startGateway(settings));

// The part of the link behind the number sign is never sent.
const link = `/#password=${issuer.password}`;
const server = await createServer({
  configFile: new URL('../vite.config.ts', import.meta.url).pathname,
  root: new URL('..', import.meta.url).pathname,
  server: process.argv.includes('--open') ? { open: link } : {},
});
await server.listen();
if (ownGateway !== undefined) {
  lines(
    `The gateway at ${ownGateway} needs these settings:`,
    ...Object.entries(settings).map((setting) => setting.join('=')),
    '',
  );
}
lines(
  `The page: ${server.resolvedUrls?.local[0]?.replace(/\/$/u, '')}${link}`,
  `Sign in as ${[...PEOPLE.keys()].join(', ')} with the password ${issuer.password}`,
);
