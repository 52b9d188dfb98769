import { parse, print } from 'graphql';

/** A tab of GraphiQL. */
export interface GraphiQLTab {
  readonly query: string;
}

const QUERY = `# Press the play button (or Ctrl-Enter).
# The docs are behind the book at the top left.
# The other tabs use the IDs of the demo.
query Articles {
  list: articles(first: 3) {
    totalCount
    pageInfo {
      endCursor # The next page: after: "the endCursor".
    }
    nodes {
      articleId
      title
    }
  }
  search: articles(first: 3, filter: { text: "lamp" }) {
    nodes {
      articleId
      title
    }
  }
}
`;

/** The mutations of the other tabs, in their order. */
const MUTATIONS: Readonly<Record<string, string>> = {
  previewBulkUpdateArticles: 'Tells what the next tab would change, and writes nothing.',
  bulkUpdateArticles: 'Each article has an outcome of its own.',
  createArticles: 'A new draft in a category of the demo.',
  publishArticles: 'The latest version becomes the public one.',
  updateReaderGroup: 'What is left out stays as it is.',
};

/**
 * The tabs with which GraphiQL opens where the schema is shown to everybody: a query, and the examples in the schema's descriptions
 * of some mutations. Each runs as it is over the demo.
 */
export function examplesOf(schema: string): readonly GraphiQLTab[] {
  const examples = [...schema.matchAll(/```graphql\n(.*?)```/gsu)].map(([, text = '']) => text);
  const mutations = Object.entries(MUTATIONS).map(([field, comment]) => {
    const example = examples.find((text) => new RegExp(`^\\s*mutation \\{\\s*${field}\\(`, 'u').test(text));
    if (example === undefined) throw new Error(`The schema has no example of ${field}.`);
    const named = example.replace('mutation', `mutation ${field[0]?.toUpperCase()}${field.slice(1)}`);
    return { query: `# ${comment}\n${print(parse(named))}\n` };
  });
  return [{ query: QUERY }, ...mutations];
}
