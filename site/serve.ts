import { fileURLToPath } from 'node:url';
import { createSiteServer } from './site-server.ts';

const PORT = 4173;

// Serves the built site on this machine. Where the port is taken, any free one will do.
const server = createSiteServer(fileURLToPath(new URL('.vitepress/dist', import.meta.url)));
server.on('listening', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`The docs: http://127.0.0.1:${address?.port}/\n`);
});
server.once('error', () => server.listen(0, '127.0.0.1'));
server.listen(PORT, '127.0.0.1');
