import { resolve } from 'node:path';
import { shellWord } from '../../base/printable.ts';
import type { LocalConfig } from '../../config.ts';
import type { DefaultVersion } from '../../domain/articles/project-versions.ts';
import type { KnowledgeBase } from '../../knowledge-base/knowledge-base.ts';
import { storeTokenFile } from '../access/api-token.ts';
import { CONFIGURED_TOKEN_HEADER, CONFIGURED_TOKEN_HINT, curlCommand, JWT_HEADER } from '../curl-command.ts';

/** A command that lists imported articles, with what it needs to work. Null when no article was imported. */
export function exampleQuery(
  { host, port, backend, clients }: LocalConfig,
  knowledgeBase: KnowledgeBase,
  defaultVersion: DefaultVersion | null,
): string | null {
  const list = listArguments(knowledgeBase, defaultVersion);
  if (list === null) return null;
  const needs = [
    ...(clients === null && backend.apiTokens !== null ? [CONFIGURED_TOKEN_HINT] : []),
    ...(port === 0 ? ['the port that it prints in place of PORT'] : []),
    ...(clients === null ? [] : ["a client's JWT in place of YOUR_JWT"]),
  ];
  const command = curlCommand({
    host,
    port: port === 0 ? 'PORT' : port,
    tokenHeader: clients === null ? apiTokenHeader(backend) : JWT_HEADER,
    query: `{ articles(${list}) { totalCount nodes { articleId title } } }`,
  });
  const hint = needs.length > 0 ? `, with ${needs.join(' and ')}` : '';
  return `While a gateway serves this store (npm start), this lists your articles${hint}:\n${command}\n`;
}

function apiTokenHeader({ apiTokens, databaseUrl }: LocalConfig['backend']): string {
  const file = apiTokens === null ? storeTokenFile(databaseUrl) : null;
  return file === null ? CONFIGURED_TOKEN_HEADER : `"api_token: $(cat ${shellWord(resolve(file))})"`;
}

/** The arguments are those that the defaults of the store do not give. */
function listArguments({ articles, languages }: KnowledgeBase, defaultVersion: DefaultVersion | null): string | null {
  const defaultId = defaultVersion?.projectVersionId;
  const article = articles.find(({ projectVersionId }) => projectVersionId === defaultId) ?? articles[0];
  const [text] = article?.versions ?? [];
  if (!article || !text) return null;
  const { projectVersionId } = article;
  const ofVersion = languages.filter((language) => language.projectVersionId === projectVersionId);
  const defaultCode = (ofVersion.find(({ isDefault }) => isDefault) ?? ofVersion[0])?.code;
  const hasDefaultLanguage = articles.some(
    (other) =>
      other.projectVersionId === projectVersionId &&
      other.versions.some(({ languageCode }) => languageCode === defaultCode),
  );
  return [
    ...(projectVersionId === defaultId ? [] : [`projectVersionId: ${JSON.stringify(projectVersionId)}`]),
    ...(hasDefaultLanguage ? [] : [`languageCode: ${JSON.stringify(text.languageCode)}`]),
    'first: 5',
  ].join(', ');
}
