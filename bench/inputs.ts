/** The article that an item of a connection updates. Connections have no article in common. */
export const articleIdOf = (connection: number, index: number): string =>
  `5f0e8c1a-0000-4000-${String(connection).padStart(4, '0')}-${String(index).padStart(12, '0')}`;

/** An update as a translation tool makes it, about 350 bytes of JSON. */
function articleOf(connection: number, index: number) {
  return {
    id: articleIdOf(connection, index),
    languageCode: 'en',
    title: `Renew the certificate of a field agent, part ${index}`,
    content:
      'Open **Settings → Agents**, choose the agent, and select *Renew*. The old certificate stays valid for a day, so that no report is lost meanwhile.',
    hidden: false,
    order: (index % 50) + 1,
  };
}

export const graphqlArticle = (connection: number, index: number) => {
  const { id, ...rest } = articleOf(connection, index);
  return { articleId: id, ...rest, translationStatus: 'TRANSLATED' };
};

export const restArticle = (connection: number, index: number) => {
  const { id, languageCode, ...rest } = articleOf(connection, index);
  return { article_id: id, lang_code: languageCode, ...rest, translation_option: '2' };
};

const READERS = Array.from({ length: 10 }, (_, number) => `reader-${number}`);
const INVITED = ['invited-0', 'invited-1'];
const SCOPES = Array.from({ length: 20 }, (_, number) => `category-${number}`);

export const groupIdOf = (connection: number): string => `group-${connection}`;

/** All fields are given, so the gateway does not have to read the group first. */
export const graphqlGroup = (connection: number) => ({
  groupId: groupIdOf(connection),
  title: 'Field staff North',
  description: 'Who visits customers',
  readerIds: READERS,
  invitedSsoUserIds: INVITED,
  accessScope: {
    categories: SCOPES.map((categoryId) => ({ projectVersionId: 'version-1', categoryId, languageCode: 'en' })),
  },
});

export const restGroup = () => ({
  title: 'Field staff North',
  description: 'Who visits customers',
  associated_readers: READERS,
  access_scope: {
    access_level: 1,
    categories: SCOPES.map((category_id) => ({ project_version_id: 'version-1', category_id, language_code: 'en' })),
    project_versions: null,
    languages: null,
  },
  associated_invited_sso_users: INVITED,
});
