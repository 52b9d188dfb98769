import { nodeProblem } from '../../core/base/needed-node.ts';

// Run before all else of the package, so that a Node from 20.12 on, which can read it, says that it is too old, and not what it
// lacks.
if (nodeProblem !== null) throw new Error(nodeProblem);
