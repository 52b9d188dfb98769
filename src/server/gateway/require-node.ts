import { nodeProblem } from '../../core/base/needed-node.ts';

// This runs before the rest of the package, so that Node from 20.12 on, which can parse this file, reports that it is
// too old, instead of what it lacks.
if (nodeProblem !== null) throw new Error(nodeProblem);
