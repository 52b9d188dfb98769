import { type FieldNode, GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { OperationBudget } from './execution-args.ts';

/** The path of a field in the response. */
export type Path = GraphQLResolveInfo['path'];

interface RootField {
  readonly responseKey: string;
  readonly nodes: readonly FieldNode[];
}

/** The errors of an execution. An error below a path that is already null is dropped. */
export class FieldErrors {
  readonly all: GraphQLError[] = [];
  readonly #budget: OperationBudget;
  #nulledPaths: Set<Path | undefined> | null = null;

  constructor(budget: OperationBudget) {
    this.#budget = budget;
  }

  add(error: GraphQLError, path: Path): void {
    this.#nulledPaths ??= new Set();
    if (isInNulledPath(this.#nulledPaths, path)) return;
    this.#budget.chargeError(error);
    this.#nulledPaths.add(path);
    this.all.push(error);
  }

  /** Adds the error that makes the whole `data` null. */
  addAtRoot(error: GraphQLError): void {
    this.#nulledPaths ??= new Set();
    this.#nulledPaths.add(undefined);
    this.all.push(error);
  }

  /** Replaces all errors of a root field by one. */
  replaceFieldErrors({ responseKey, nodes }: RootField, { message, extensions }: GraphQLError): void {
    const others = this.all.filter(({ path }) => path?.[0] !== responseKey);
    const error = new GraphQLError(message, { nodes, path: [responseKey], extensions });
    this.all.splice(0, this.all.length, ...others, error);
  }
}

function isInNulledPath(nulledPaths: ReadonlySet<Path | undefined>, path: Path): boolean {
  for (let ancestor: Path | undefined = path; ancestor !== undefined; ancestor = ancestor.prev)
    if (nulledPaths.has(ancestor)) return true;
  return nulledPaths.has(undefined);
}
