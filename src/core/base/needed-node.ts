const NEEDED_NODE = 24;
const node = process.versions.node;

/** The reason why this Node cannot run the gateway; null where it can. Each Node since 14.8 can read this file. */
export const nodeProblem =
  Number.parseInt(node, 10) < NEEDED_NODE ? `kb-gateway needs Node ${NEEDED_NODE}; this is ${node}` : null;
