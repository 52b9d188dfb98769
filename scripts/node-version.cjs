/** Names a Node that cannot run the sources. It is loaded before them, since such a Node reads no TypeScript. */
const { engines } = require('../package.json');

const needed = Number.parseInt(engines.node.replace('>=', ''), 10);
const { node } = process.versions;

if (Number.parseInt(node, 10) < needed) {
  process.stderr.write(`kb-gateway needs Node ${needed}; this is ${node}
npm install brings it along, unless it leaves out the development dependencies or their install scripts.
`);
  process.exit(1);
}
