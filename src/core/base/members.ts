/** True for equal values of a member. Lists are compared by their entries, and dates by their time. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => isSameValue(entry, other[index]));
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
}

/** The members of the names, in their order, each with the value that `read` returns for it; also those that are undefined. */
export function membersOf<Values extends object>(
  names: readonly (keyof Values)[],
  read: <Name extends keyof Values>(name: Name) => Values[Name],
): Partial<Values> {
  const members: Partial<Values> = {};
  for (const name of names) members[name] = read(name);
  return members;
}

/** The members of the names, in their order, but for those that are null or undefined. */
export function presentMembersOf<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): { readonly [Each in Name]?: NonNullable<Values[Each]> } {
  const members: { [Each in Name]?: NonNullable<Values[Each]> } = {};
  for (const name of names) {
    const value = values[name];
    if (value != null) members[name] = value;
  }
  return members;
}
