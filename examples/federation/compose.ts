import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';

// npm run --silent example:compose -- knowledge=http://127.0.0.1:4000/graphql reviews=http://127.0.0.1:4001/graphql

async function fetchSubgraph(argument: string) {
  const [name = '', ...rest] = argument.split('=');
  const url = rest.join('=');
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  const { data, errors } = JSON.parse(await response.text());
  if (!data) throw new Error(`${name}: ${errors?.[0]?.message ?? `${url} answers ${response.status}`}`);
  return { name, url, typeDefs: parse(data._service.sdl) };
}

const { supergraphSdl, errors } = composeServices(await Promise.all(process.argv.slice(2).map(fetchSubgraph)));
for (const { message } of errors ?? []) process.stderr.write(`${message}\n`);
if (supergraphSdl === undefined) process.exitCode = 1;
else process.stdout.write(`${supergraphSdl}\n`);
