import {
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { QueryLimits } from '../../domain/limits.ts';
import { queryLimitError } from '../query-limit.ts';
import { type Fragments, fragmentsOf } from './fragments.ts';

/** What a selection set adds up to, the fragments that it spreads written out. */
interface Size {
  readonly fields: number;
  readonly aliases: number;
  readonly depth: number;
  /** Fields at its own top. */
  readonly top: number;
}

const NOTHING: Size = { fields: 0, aliases: 0, depth: 0, top: 0 };

/** Fragments within each other: as with brackets, what walks them walks by recursion. */
const MAX_SPREADS = 200;

interface Walk {
  readonly limits: QueryLimits;
  readonly fragments: Fragments;
  /** Each fragment is measured once, so that fragments that spread each other over and over cost no more than their text. */
  readonly measured: Map<string, Size>;
  /** Those that are being measured. */
  readonly open: Set<string>;
}

/**
 * Throws where a document is larger than the limits allow or a fragment spreads itself. Made before validation, whose
 * rules are many and grow faster than the document does. Returns how many fields it has, its fragments written out.
 */
export function checkQueryShape(document: DocumentNode, limits: QueryLimits): number {
  const walk: Walk = { limits, fragments: fragmentsOf(document), measured: new Map(), open: new Set() };
  let fields = 0;
  for (const definition of document.definitions) {
    checkDirectives(walk, definition);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) sizeOfFragment(walk, definition.name.value);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = sizeOfOperation(walk, definition);
    fields += size.fields;
    check('fields', fields, limits.maxQueryFields);
  }
  return fields;
}

function sizeOfOperation(walk: Walk, { selectionSet, variableDefinitions = [] }: OperationDefinitionNode): Size {
  for (const variable of variableDefinitions) checkDirectives(walk, variable);
  const size = sizeOfSet(walk, selectionSet);
  check('fields at the root of an operation', size.top, walk.limits.maxQueryRootFields);
  return size;
}

function sizeOfSet(walk: Walk, { selections }: SelectionSetNode): Size {
  const { maxQueryFields, maxQueryAliases, maxQueryDepth } = walk.limits;
  let size = NOTHING;
  for (const selection of selections) {
    checkDirectives(walk, selection);
    const part = sizeOf(walk, selection);
    size = {
      fields: size.fields + part.fields,
      aliases: size.aliases + part.aliases,
      depth: Math.max(size.depth, part.depth),
      top: size.top + part.top,
    };
    check('fields', size.fields, maxQueryFields);
    check('aliases', size.aliases, maxQueryAliases);
    check('levels of fields within each other', size.depth, maxQueryDepth);
  }
  return size;
}

function sizeOf(walk: Walk, selection: SelectionNode): Size {
  if (selection.kind === Kind.INLINE_FRAGMENT) return sizeOfSet(walk, selection.selectionSet);
  if (selection.kind === Kind.FRAGMENT_SPREAD) return sizeOfFragment(walk, selection.name.value);
  const below = selection.selectionSet ? sizeOfSet(walk, selection.selectionSet) : NOTHING;
  return {
    fields: below.fields + 1,
    aliases: below.aliases + (selection.alias ? 1 : 0),
    depth: below.depth + 1,
    top: 1,
  };
}

/** A fragment that is not there is for validation to refuse. */
function sizeOfFragment(walk: Walk, name: string): Size {
  const known = walk.measured.get(name);
  if (known) return known;
  const fragment = walk.fragments.get(name);
  if (!fragment) return NOTHING;
  if (walk.open.has(name)) throw queryLimitError(`The fragment "${name}" must not spread itself.`);
  walk.open.add(name);
  check('fragments within each other', walk.open.size, MAX_SPREADS);
  const size = sizeOfSet(walk, fragment.selectionSet);
  walk.open.delete(name);
  walk.measured.set(name, size);
  return size;
}

function checkDirectives({ limits }: Walk, { directives = [] }: Pick<DefinitionNode | SelectionNode, 'directives'>) {
  check('directives in one place', directives.length, limits.maxQueryDirectives);
}

function check(what: string, count: number, limit: number): void {
  if (count > limit) throw queryLimitError(`The query must have at most ${limit} ${what}.`);
}
