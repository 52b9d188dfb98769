import { type FieldNode, GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { ResponseBudget } from '../../schema/response-budget.ts';

/** A place in an answer. */
export type Path = GraphQLResolveInfo['path'];

/** A root field of a mutation. */
interface RootField {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
}

/** How a root field of a mutation ended where the budget was used up. */
interface EndedField {
  readonly exceeded: GraphQLError;
  readonly mayHaveApplied: boolean;
}

/** The errors of a run, mostly none. What happens below a place that is null already is nobody's to read. */
export class FieldErrors {
  readonly all: GraphQLError[] = [];
  readonly #budget: ResponseBudget;
  #places: Set<Path | undefined> | null = null;

  constructor(budget: ResponseBudget) {
    this.#budget = budget;
  }

  add(error: GraphQLError, path: Path | undefined): void {
    this.#places ??= new Set();
    if (isBelow(this.#places, path)) return;
    this.#budget.chargeError(error);
    this.#places.add(path);
    this.all.push(error);
  }

  /** There is no data then, so whatever fails later is nobody's to read. */
  addAtRoot(error: GraphQLError): void {
    this.#places ??= new Set();
    this.#places.add(undefined);
    this.all.push(error);
  }

  /** Puts one error in the place of all that the field has had so far. */
  endField({ key, nodes }: RootField, { exceeded, mayHaveApplied }: EndedField): void {
    const others = this.all.filter(({ path }) => path?.[0] !== key);
    const message = mayHaveApplied ? exceeded.message : `Nothing was written. ${exceeded.message}`;
    const extensions = { ...exceeded.extensions, mayHaveApplied };
    this.all.splice(0, this.all.length, ...others, new GraphQLError(message, { nodes, path: [key], extensions }));
  }
}

function isBelow(places: ReadonlySet<Path | undefined>, path: Path | undefined): boolean {
  for (let place = path; place !== undefined; place = place.prev) if (places.has(place)) return true;
  return places.has(undefined);
}
