import { builder } from '../builder.ts';

/** The arguments of reads of one project version in one language. */
export const editionArgs = builder.args((t) => ({
  projectVersionId: t.id({
    description: "The service's own ID of the project version; the default project version when it is left out.",
  }),
  languageCode: t.string({
    description:
      'The code of the language, such as `en`; the default language of the project version when it is left out.',
  }),
}));
