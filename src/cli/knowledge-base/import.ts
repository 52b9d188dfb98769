import { resolve } from 'node:path';
import type { ImportSummary } from '../../backend/local/import/import-knowledge-base.ts';
import { shellWord, toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { LocalConfig } from '../../config.ts';
import type { DefaultVersion } from '../../domain/articles/articles.ts';
import { readKnowledgeBaseFile } from '../../knowledge-base/file.ts';
import type { KnowledgeBase } from '../../knowledge-base/format.ts';
import { storeTokenFile } from '../access.ts';
import { CONFIGURED_TOKEN_HEADER, CONFIGURED_TOKEN_HINT, curlCommand, JWT_HEADER } from '../curl-command.ts';
import { createProgressBar, print } from '../terminal.ts';
import { entryTable, openStoreOf, readStoreConfig } from './open-store.ts';

/** Imports a file into the embedded store, all or nothing, and prints what it did and how to see it. */
export async function importFile(path: string): Promise<Result<void, string>> {
  const config = readStoreConfig();
  if (!config.ok) return config;
  const knowledgeBase = await readKnowledgeBaseFile(path);
  if (!knowledgeBase.ok) return err(`nothing was imported from ${toPrintable(path)}:\n${knowledgeBase.error}`);
  const summary = await importInto(config.value, knowledgeBase.value);
  const { added, alreadyThere, defaultVersion } = summary;
  const query = exampleQuery(config.value, knowledgeBase.value, defaultVersion);
  print(
    [
      entryTable({ added, 'already there': alreadyThere }),
      `\n${DEMO_LINES[summary.demo]}${defaultVersionLine(summary)}`,
      query === null ? '' : `\n${query}`,
    ].join(''),
  );
  return ok(undefined);
}

async function importInto(config: LocalConfig, knowledgeBase: KnowledgeBase): Promise<ImportSummary> {
  const store = await openStoreOf(config);
  // Ctrl-C ends the process, which rolls the import back.
  const bar = createProgressBar('importing [{bar}] {value} of {total}');
  try {
    return await store.importKnowledgeBase(knowledgeBase, (done, total) => bar.show(done, total));
  } finally {
    bar.stop();
    await store.close();
  }
}

const DEMO_LINES = {
  removed: 'The demo was removed: nobody had changed it.\n',
  changed: 'The demo stays beside it, because somebody has changed it.\n',
  absent: '',
} as const satisfies Record<ImportSummary['demo'], string>;

function defaultVersionLine({ defaultVersion }: Pick<ImportSummary, 'defaultVersion'>): string {
  if (defaultVersion === null) return 'The store has no project version yet.\n';
  const { name, projectVersionId } = defaultVersion;
  return `The default project version is now ${toPrintable(name)} (${toPrintable(projectVersionId)}).\n`;
}

/** A command that lists imported articles, with what it needs to work. Null when no article was imported. */
function exampleQuery(
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
  const article = articles.find(({ project_version_id }) => project_version_id === defaultId) ?? articles[0];
  const [text] = article?.versions ?? [];
  if (!article || !text) return null;
  const projectVersionId = article.project_version_id;
  const ofVersion = languages.filter(({ project_version_id }) => project_version_id === projectVersionId);
  const defaultCode = (ofVersion.find(({ is_default }) => is_default) ?? ofVersion[0])?.code;
  const hasDefaultLanguage = articles.some(
    ({ project_version_id, versions }) =>
      project_version_id === projectVersionId && versions.some(({ lang_code }) => lang_code === defaultCode),
  );
  return [
    ...(projectVersionId === defaultId ? [] : [`projectVersionId: ${JSON.stringify(projectVersionId)}`]),
    ...(hasDefaultLanguage ? [] : [`languageCode: ${JSON.stringify(text.lang_code)}`]),
    'first: 5',
  ].join(', ');
}
