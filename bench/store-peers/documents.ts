/** The documents for kb-gateway. A bulk update has that of the other benchmarks. */
export const OUR_DOCUMENTS = {
  articles: `query List($first: Int!) {
  articles(projectVersionId: "pv", languageCode: "en", first: $first) {
    nodes {
      articleId
      title
      slug
      hidden
      modifiedAt
      category { categoryId name }
      projectVersion { projectVersionId name }
    }
  }
}`,
  groups: `query Groups($first: Int!) {
  readerGroups(first: $first) {
    nodes {
      groupId
      title
      readers { nodes { readerId firstName lastName email } }
      accessScope {
        ... on CategoryAccessScope {
          categories { category { name } projectVersion { name } language { name } }
        }
      }
    }
  }
}`,
  article: `query Read($articleId: ID!) {
  article(articleId: $articleId, languageCode: "en") { articleId versionNumber title content slug hidden modifiedAt }
}`,
};

/** The same in the schema that PostGraphile derives from the tables. */
export const POSTGRAPHILE_DOCUMENTS = {
  articles: `query List($first: Int!) {
  allArticleTranslations(
    first: $first
    condition: { projectVersionId: "pv", languageCode: "en" }
    orderBy: ARTICLE_ID_ASC
  ) {
    nodes {
      articleId
      latestVersion { title modifiedAt }
      articleByArticleIdAndProjectVersionId {
        slug
        hidden
        categoryByCategoryIdAndProjectVersionId { rowId name }
        projectVersionByProjectVersionId { rowId name }
      }
    }
  }
}`,
  groups: `query Groups($first: Int!) {
  allReaderGroups(first: $first, orderBy: POSITION_ASC) {
    nodes {
      rowId
      title
      readerGroupReadersByGroupId(orderBy: POSITION_ASC) {
        nodes { readerByReaderId { rowId firstName lastName email } }
      }
      accessLevel
      readerGroupScopesByGroupId(orderBy: POSITION_ASC) {
        nodes {
          categoryByCategoryIdAndProjectVersionId { name }
          projectVersionByProjectVersionId { name }
          languageByProjectVersionIdAndLanguageCode { name }
        }
      }
    }
  }
}`,
  article: `query Read($articleId: String!) {
  articleTranslationByArticleIdAndLanguageCode(articleId: $articleId, languageCode: "en") {
    articleId
    latestVersion { versionNumber title content modifiedAt }
    articleByArticleIdAndProjectVersionId { slug hidden }
  }
}`,
  update: `mutation Save($articleId: String!, $patch: ArticleVersionPatch!) {
  updateArticleVersionByArticleIdAndLanguageCodeAndVersionNumber(
    input: { articleId: $articleId, languageCode: "en", versionNumber: 1, articleVersionPatch: $patch }
  ) { articleVersion { articleId } }
}`,
  bulkUpdate: `mutation Save($changes: [ArticleChangeInput]!) {
  updateArticles(input: { changes: $changes }) { result { articleId } }
}`,
};

/** One field for each item: a bulk update for which nobody has written a function. */
export function mutationFieldsDocument(items: number): string {
  const numbers = Array.from({ length: items }, (_, n) => n);
  const variables = numbers.map((n) => `$id${n}: String!, $patch${n}: ArticleVersionPatch!`).join(', ');
  const fields = numbers.map(
    (n) => `  item${n}: updateArticleVersionByArticleIdAndLanguageCodeAndVersionNumber(
    input: { articleId: $id${n}, languageCode: "en", versionNumber: 1, articleVersionPatch: $patch${n} }
  ) { articleVersion { articleId } }`,
  );
  return `mutation Save(${variables}) {\n${fields.join('\n')}\n}`;
}
