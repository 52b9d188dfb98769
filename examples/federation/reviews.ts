import { createServer } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';

// PORT=4001 npm run example:reviews
const PORT = Number(process.env['PORT'] ?? 4001);

/** A review names its article and its reader by the service's own IDs, which this subgraph keeps. */
const REVIEWS = [
  { reviewId: '1', rating: 5, articleId: 'pair-a-lamp', languageCode: 'en', readerId: 'reader-ada' },
  { reviewId: '2', rating: 3, articleId: 'pair-a-lamp', languageCode: 'de', readerId: 'reader-bo' },
  { reviewId: '3', rating: 1, articleId: 'unpack-the-hub', languageCode: 'en', readerId: 'reader-gone' },
] as const;

type Review = (typeof REVIEWS)[number];
type ArticleKey = Pick<Review, 'articleId' | 'languageCode'>;

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])

  type Query {
    latestReviews: [Review!]!
  }

  type Review @key(fields: "reviewId") {
    reviewId: ID!
    rating: Int!
    article: Article
    reader: Reader
  }

  type Article @key(fields: "articleId languageCode") {
    articleId: ID!
    languageCode: String!
    reviews: ReviewConnection!
  }

  type Reader @key(fields: "readerId", resolvable: false) {
    readerId: ID!
  }

  type ReviewConnection {
    nodes: [Review!]!
    pageInfo: PageInfo!
  }

  type PageInfo @shareable {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }
`);

const PAGE_INFO = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };

const schema = buildSubgraphSchema({
  typeDefs,
  resolvers: {
    Query: { latestReviews: () => REVIEWS },
    Review: {
      article: ({ articleId, languageCode }: Review) => ({ articleId, languageCode }),
      reader: ({ readerId }: Review) => ({ readerId }),
    },
    Article: {
      reviews: ({ articleId, languageCode }: ArticleKey) => ({
        nodes: REVIEWS.filter((review) => review.articleId === articleId && review.languageCode === languageCode),
        pageInfo: PAGE_INFO,
      }),
    },
  },
});

createServer(createYoga({ schema, logging: 'error' })).listen(PORT, '127.0.0.1', () => {
  process.stdout.write(`The reviews are served at http://127.0.0.1:${PORT}/graphql\n`);
});
