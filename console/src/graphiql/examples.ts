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

const ARTICLES_QUERY = `# The first articles, and those in whose texts the
# words stand. The next page: after: "the endCursor".
query Articles {
  list: articles(first: 3) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
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

const PREVIEW = `# Tells what the update of the next tab would
# change, and writes nothing.
mutation PreviewArticles($input: BulkUpdateArticlesInput!) {
  previewBulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPreview {
      results {
        articleId
        changes {
          field
          from
          to
        }
        issues {
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

const ARTICLES = [
  { articleId: 'unpack-the-hub', title: 'First steps', hidden: false },
  { articleId: 'no-such-article', title: 'Lost' },
];
const VARIABLES = JSON.stringify({ input: { articles: ARTICLES } }, null, 2);

const CREATE = `# A new draft. With the same key, the next press
# gives the same answer, and creates nothing.
mutation CreateArticle {
  createArticles(
    idempotencyKey: "clean-a-lamp"
    input: {
      userId: "embedded-store"
      articles: [
        { title: "Clean a lamp", projectVersionId: "fernlight-2", categoryId: "rooms", content: "Use a dry cloth." }
      ]
    }
  ) {
    __typename
    ... on CreateArticlesPayload {
      replayed
      results {
        __typename
        title
        details
        ... on ArticleCreated {
          articleId
          article {
            slug
          }
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

const PUBLISH = `# The latest version becomes the public one.
# The team account of the store does it.
mutation PublishArticle {
  publishArticles(
    input: { articles: [{ articleId: "unpack-the-hub" }], userId: "embedded-store" }
  ) {
    __typename
    ... on PublishArticlesPayload {
      results {
        __typename
        details
        ... on ArticleUpdated {
          evidence
          publication
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

/** The tabs with which GraphiQL opens where the schema is shown to everybody: each runs as it is over the demo. */
export const EXAMPLES: readonly GraphiQLTab[] = [
  { query: QUERY },
  { query: ARTICLES_QUERY },
  { query: PREVIEW, variables: VARIABLES },
  { query: BULK_UPDATE, variables: VARIABLES },
  { query: CREATE },
  { query: PUBLISH },
  { query: GROUP_UPDATE },
];
