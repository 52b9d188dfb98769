import { builder } from '../builder.ts';

/** The arguments of reads of one project version in one language. */
export const editionArgs = builder.args((t) => ({
  projectVersionId: t.id({
    description: "The service's own ID of the project version. Left out: the default project version.",
  }),
  languageCode: t.string({
    description: 'The code of the language, such as `en`. Left out: the default language of the project version.',
  }),
}));
