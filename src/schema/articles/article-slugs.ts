import { textProblem } from '../../base/text.ts';
import { builder } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { unwrapResult } from '../errors/graphql-errors.ts';
import { ArticleType, completeArticles } from './articles.ts';
import { editionArgs } from './edition-args.ts';

builder.queryField('articleBySlug', (t) =>
  t.field({
    type: ArticleType,
    nullable: true,
    description:
      'The article with a slug, in the latest version of one language, hidden or not. Where several articles of the project version have the slug, the first of them by ID. Null where no article in that language has the slug, and where the project version or the language does not exist. Over the service, it reads the list of all articles in the language, by one call for 1,000 articles and one for each 100 more.',
    args: {
      slug: t.arg.string({
        required: true,
        description: 'The slug, exactly as in `Article.slug`.',
      }),
      ...editionArgs,
    },
    resolve: async (...[_root, { slug, projectVersionId, languageCode }, context, info]) => {
      const { backend, caller } = authorizeRead(context);
      if (slug === '' || textProblem(slug) !== null) return null;
      const edition = { projectVersionId: projectVersionId ?? undefined, languageCode: languageCode ?? undefined };
      const article = unwrapResult(await backend.articleBySlug(caller, { slug, ...edition }));
      return article && ((await completeArticles([article], context, info))[0] ?? article);
    },
  }),
);
