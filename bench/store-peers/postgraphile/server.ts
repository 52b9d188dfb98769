import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { databaseUrl, port } from '../settings.ts';

// PostGraphile with the preset that it recommends, over the tables of the store and what `additions.sql` adds.

const server = createServer();
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: databaseUrl, schemas: ['public'] })],
  grafserv: { graphiql: false, websockets: false },
});
await instance.createServ(grafserv).addTo(server);
await instance.getSchema();
server.listen(port, '127.0.0.1');
