/** A tab of GraphiQL. */
export interface GraphiQLTab {
  readonly query: string;
  readonly variables?: string;
}

const QUERY = `# Press the play button (or Ctrl-Enter).
# The docs are behind the book at the top left.
# The other tabs use the IDs of the demo.
query ReaderGroups {
  readerGroups(first: 5) {
    nodes {
      groupId
      title
      accessScope {
        level
      }
    }
  }
}
`;

const PREVIEW = `# Tells what the update of the next tab would
# change, and writes nothing.
mutation PreviewArticles($input: BulkUpdateArticlesInput!) {
  previewBulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPreview {
      summary {
        total
        changed
        failing
      }
      results {
        articleId
        changes {
          field
          from
          to
        }
        issues {
          path
          message
        }
      }
    }
    ... on MutationError {
      code
      message
    }
  }
}
`;

const BULK_UPDATE = `# Each article has an outcome of its own.
# The second one does not exist, so it fails.
mutation UpdateArticles($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
        articleId
        details
        retryable
        ... on ArticleUpdated {
          article {
            title
          }
        }
      }
    }
    ... on MutationError {
      code
      message
      retryable
      mayHaveApplied
    }
  }
}
`;

const ARTICLES = JSON.stringify(
  {
    input: {
      articles: [
        { articleId: 'unpack-the-hub', title: 'First steps', hidden: false },
        { articleId: 'no-such-article', title: 'Lost' },
      ],
    },
  },
  null,
  2,
);

const GROUP_UPDATE = `# The group may read the listed categories.
# Its title and members are left out, so they stay.
mutation UpdateGroup {
  updateReaderGroup(
    input: {
      groupId: "partners"
      accessScope: {
        categories: [
          { projectVersionId: "fernlight-2", categoryId: "rooms", languageCode: "en" }
          { projectVersionId: "fernlight-2", categoryId: "scenes", languageCode: "en" }
        ]
      }
    }
  ) {
    __typename
    ... on UpdateReaderGroupPayload {
      readerGroup {
        title
        accessScope {
          level
          ... on CategoryAccessScope {
            categories {
              category {
                name
              }
            }
          }
        }
      }
    }
    ... on MutationError {
      code
      message
      retryable
      mayHaveApplied
    }
  }
}
`;

/** The tabs with which GraphiQL opens: each runs as it is over the demo. */
export const GRAPHIQL_TABS: readonly GraphiQLTab[] = [
  { query: QUERY },
  { query: PREVIEW, variables: ARTICLES },
  { query: BULK_UPDATE, variables: ARTICLES },
  { query: GROUP_UPDATE },
];

/** The only tab where the schema is not shown to everybody. */
export const EMPTY_TAB: GraphiQLTab = { query: '# The schema is not shown here. Every operation needs a token.\n' };

/** GraphiQL moves a tab away from the pointer at the first press on it, so that the click misses the tab. */
const STYLE = '<style>.graphiql-tab { transform: none !important; }</style>\n    ';

const HEAD_END = '</head>';

/** The call in the page that shows GraphiQL. */
const RENDER = 'YogaGraphiQL.renderYogaGraphiQL(';

/**
 * GraphiQL shows the query of a link in the first tab, and loses it when another tab is opened. A link with a query
 * opens that query alone.
 */
const RENDER_WITH_LINK = `((root, { defaultTabs, ...options }) => {
  const isLink = new URLSearchParams(location.search).has('query');
  YogaGraphiQL.renderYogaGraphiQL(root, isLink ? options : { ...options, defaultTabs });
})(`;

/** Adapts GraphiQL's page to opening with several tabs. */
export function withTabs(page: string): string {
  const [start = '', end = '', ...more] = page.split(RENDER);
  if (end === '' || more.length > 0 || !start.includes(HEAD_END)) throw new Error('The page of GraphiQL is not known.');
  return `${start.replace(HEAD_END, () => STYLE + HEAD_END)}${RENDER_WITH_LINK}${end}`;
}
