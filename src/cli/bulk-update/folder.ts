import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toPrintable } from '../../core/base/printable.ts';
import { err, mapOk, ok, type Result } from '../../core/base/result.ts';
import { complain } from '../../server/process/terminal.ts';
import { listProblems } from '../../store/knowledge-base/file.ts';
import { type ArticleFile, type NewArticle, newArticleOf, readArticleFiles, rowOf } from './article-files.ts';
import type { UpdateRow } from './article-rows.ts';
import { createFromFiles, EARLIER } from './create-from-files.ts';
import { FolderState } from './folder-state.ts';
import { type GatewayClient, operation } from './gateway-client.ts';
import { type FolderInput, UPDATE_EXITS } from './options.ts';
import { sendParts, type UpdateRun } from './parts.ts';
import { PreviewedRows, previewCreations, previewRows } from './preview.ts';
import { takenPath, updateFromFile } from './update-from-file.ts';

interface FolderRun extends Omit<UpdateRun, 'input'> {
  readonly folder: FolderInput;
}

/** Creates the articles of files that have no ID, and then updates those of all files, as one job. */
export async function runFolder(run: FolderRun): Promise<Result<number, string>> {
  const { options, client, folder } = run;
  const state = new FolderState({ folder: options.path, gateway: options.address.url, stateHome: options.stateHome });
  const { files, findings, notes } = readArticleFiles(options.path, folder.languages);
  for (const note of notes) complain(note);
  if (files.length + findings.length === 0) return err('the folder has no files that end in .md or .markdown.');
  const newFiles = files.filter(({ articleId }) => articleId === null);
  const [first] = newFiles;
  const { userId = '' } = folder;
  if (first && userId === '')
    return err(`${toPrintable(first.place)} has no articleId: name the account that creates its article by --user ID.`);
  state.readBegun(new Set(newFiles.map(({ place }) => place)));
  const checked = first ? await checkNewFiles(run, newFiles, state) : ok([]);
  if (!checked.ok) return checked;
  const articles = checked.value.filter((one) => typeof one !== 'string');
  const all = [...findings, ...checked.value.filter((one) => typeof one === 'string')];
  if (options.isPreview) {
    const rows = new PreviewedRows(options.onlyFailures);
    const previewed = await previewCreations({ client, input: inputOf(articles) }, userId, rows);
    if (!previewed.ok) return previewed;
    for (const finding of all) rows.addLine('would fail', `${toPrintable(finding)}\n`);
    return previewRows({ ...run, input: inputOf(rowsOf(files, new Map())) }, rows);
  }
  if (all.length > 0)
    return err(`nothing was sent: the folder has ${all.length} problems.\n${listProblems(all, (line) => `  ${line}`)}`);
  const taken = takenPath(options.failedPath);
  if (taken !== null) return err(taken);
  const created = await createFromFiles({ ...run, state, userId }, articles);
  if (!created.ok) return created;
  const updated = await updateAll(run, rowsOf(files, created.value));
  return mapOk(updated, (code) => (created.value.size === newFiles.length ? code : UPDATE_EXITS.notAllUpdated));
}

/** Sends the updates with a key of these rows, which change once another article has been created. */
async function updateAll(run: FolderRun, rows: readonly UpdateRow[]): Promise<Result<number, string>> {
  if (rows.length === 0) return ok(UPDATE_EXITS.done);
  const input = inputOf(rows);
  const { key } = run.options;
  const ownKey = key && `bulk-update-${createHash('sha256').update(`${key} ${input.digest}`).digest('hex')}`;
  return updateFromFile({ ...run, options: { ...run.options, key: ownKey }, input });
}

const rowsOf = (files: readonly ArticleFile[], created: ReadonlyMap<string, string>) =>
  files.flatMap((file) => {
    const articleId = file.articleId ?? created.get(file.place);
    return articleId === undefined ? [] : [rowOf(file, articleId)];
  });

function inputOf(rows: readonly UpdateRow[]): UpdateRun['input'] {
  const digest = createHash('sha256');
  for (const { json } of rows) digest.update(`${json}\n`);
  return { rows, warnings: [], digest: digest.digest('hex') };
}

const PROJECT_VERSIONS = operation(
  'query BulkUpdateVersions { projectVersions { projectVersionId isDefault languages { code isDefault } } }',
  z.object({
    projectVersions: z.array(
      z.object({
        projectVersionId: z.string(),
        isDefault: z.boolean(),
        languages: z.array(z.object({ code: z.string(), isDefault: z.boolean() })).nullable(),
      }),
    ),
  }),
);

/** Gives for each file the article to be created, or a line for people that says why there is to be none. */
async function checkNewFiles(
  { client, folder, options }: FolderRun,
  newFiles: readonly ArticleFile[],
  state: FolderState,
): Promise<Result<readonly (NewArticle | string)[], string>> {
  const { answer } = await client.repeat(PROJECT_VERSIONS, '{}');
  if (!answer.ok) return err(answer.error.message);
  const given = folder.projectVersionId;
  const version = answer.value.projectVersions.find(({ projectVersionId, isDefault }) =>
    given === undefined ? isDefault : projectVersionId === given,
  );
  if (version === undefined) return err(`there is no project version ${toPrintable(given ?? 'by default')}.`);
  const language = version.languages?.find(({ isDefault }) => isDefault)?.code;
  const holders = await articlesWithSlugs(client, version.projectVersionId, newFiles);
  return mapOk(holders, (ids) =>
    newFiles.map((file, index): NewArticle | string => {
      const { place, slug, update } = file;
      const holder = ids[index] ?? null;
      if ((update.languageCode ?? language) !== language)
        return `${place}: has no articleId. New articles are in ${language}: write the ID of that one into this file.`;
      if (holder !== null && !state.hasBegun(place))
        return `${place}: has no articleId, and its slug ${slug} is that of the article ${holder}.`;
      const { projectVersionId } = version;
      const article = newArticleOf(file, {
        projectVersionId,
        userId: folder.userId ?? '',
        folder: options.path,
        holder,
      });
      return options.isPreview && state.isLost(place, article.key) ? `${place}: ${EARLIER}` : article;
    }),
  );
}

/** The most slugs of a request. Over the service, they are looked up in the same lists. */
const SLUGS_PAGE = { maxRows: 50, maxBytes: 1024 ** 2 };

async function articlesWithSlugs(client: GatewayClient, version: string, files: readonly ArticleFile[]) {
  const ids: (string | null)[] = [];
  const sent = await sendParts(
    files.map(({ slug, ...row }) => ({ ...row, json: slug })),
    SLUGS_PAGE,
    async ({ rows }) => {
      const names = rows.map((_, index) => `s${index}`);
      const fields = names.map(
        (name) => `${name}: articleBySlug(projectVersionId: $version, slug: $${name}) { articleId }`,
      );
      const query = operation(
        `query BulkUpdateSlugs($version: ID!${names.map((name) => `, $${name}: String!`).join('')}) { ${fields.join(' ')} }`,
        z.record(z.string(), z.object({ articleId: z.string() }).nullable()),
      );
      const slugs = Object.fromEntries(rows.map(({ json }, index) => [`s${index}`, json]));
      const { answer } = await client.repeat(query, JSON.stringify({ version, ...slugs }));
      if (!answer.ok) return answer;
      ids.push(...names.map((name) => answer.value[name]?.articleId ?? null));
      return ok(true);
    },
  );
  return sent.ok ? ok(ids) : err(sent.error.reason.message);
}
