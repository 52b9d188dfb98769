import { parse, print } from 'graphql';

export interface GraphiQLTab {
  readonly query: string;
}

/** The fields whose examples the tabs are, with what is said above each. */
const FIELDS: Readonly<Record<string, string>> = {
  readerGroups: `Press the play button (or Ctrl-Enter).
# The docs are behind the book at the top left.
# The other tabs use the IDs of the demo.`,
  articles: 'The next page: after: "the endCursor".',
  previewBulkUpdateArticles: 'Tells what the next tab would change, and writes nothing.',
  bulkUpdateArticles: 'Each article has an outcome of its own.',
  createArticles: 'A new draft in a category of the demo.',
  publishArticles: 'The latest version becomes the public one.',
  updateReaderGroup: 'What is left out stays as it is.',
};

/**
 * The tabs with which GraphiQL opens where the schema is shown to everybody: the examples in the schema's descriptions of some
 * fields. Each runs as it is over the demo.
 */
export function examplesOf(schema: string): readonly GraphiQLTab[] {
  const examples = [...schema.matchAll(/```graphql\n(.*?)```/gsu)].map(([, text = '']) => text);
  return Object.entries(FIELDS).map(([field, comment]) => {
    const example = examples.find((text) => new RegExp(`^\\s*\\w+ \\{\\s*(?:\\w+: )?${field}\\(`, 'u').test(text));
    if (example === undefined) throw new Error(`The schema has no example of ${field}.`);
    const named = example.replace('{', `${field[0]?.toUpperCase()}${field.slice(1)} {`);
    return { query: `# ${comment}\n${print(parse(named))}\n` };
  });
}
