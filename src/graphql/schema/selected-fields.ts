import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

type SelectionInfo = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

const CONNECTION_FIELDS: ReadonlySet<string> = new Set(['edges', 'node', 'nodes']);

/**
 * True when one of these fields is selected of the object that the resolved field returns, or of an object that its fields
 * `through` lead to; by default, of the nodes of a connection. Obeys `@skip` and `@include`.
 */
export function selectsAnyField(
  info: SelectionInfo,
  names: ReadonlySet<string>,
  through: ReadonlySet<string> = CONNECTION_FIELDS,
): boolean {
  const seen = new Set<string>();
  const selectsBelow = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => isIncluded(selection, info) && selects(selection));
  const selects = (selection: SelectionNode): boolean => {
    if (selection.kind === Kind.FIELD) {
      const name = selection.name.value;
      return names.has(name) || (through.has(name) && selectsIn(selection));
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return selectsBelow(selection.selectionSet);
    const name = selection.name.value;
    if (seen.has(name)) return false;
    seen.add(name);
    const fragment = info.fragments[name];
    return fragment !== undefined && selectsBelow(fragment.selectionSet);
  };
  const selectsIn = ({ selectionSet }: FieldNode): boolean => selectionSet !== undefined && selectsBelow(selectionSet);
  return info.fieldNodes.some(selectsIn);
}

const isIncluded = (selection: SelectionNode, { variableValues }: SelectionInfo): boolean =>
  !selection.directives?.length ||
  (getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.['if'] !== false);
