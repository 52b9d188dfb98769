import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import type { Api } from './api.ts';
import { Articles } from './articles/articles.tsx';
import { type CategoryChoice, choicesIn } from './articles/categories.ts';
import type { Edit, PublicationRequest } from './articles/edits.ts';
import { Changes } from './changes/changes.tsx';
import { Unknown } from './changes/unknown.tsx';
import { type ArticleFieldsFragment, CategoriesDocument } from './generated/graphql.ts';
import { Jobs } from './jobs/jobs.tsx';
import { type JobsOptions, useJobs } from './jobs/use-jobs.ts';
import { Keys } from './keys.tsx';
import { Button, lazyPart, Toasts, useNotice } from './parts.tsx';
import { KIND_NAMES, Publication } from './publication/publication.tsx';
import { type ProjectVersions, type Session, type Start, useSession } from './session.ts';
import { type Shared, SharedContext, useLast, useShared } from './shared.ts';
import { SignIn } from './sign-in.tsx';
import { type Tab, useView, type VersionLanguage, type View } from './view.ts';
import { useWork, type Work, type WorkActions } from './work.ts';
import { createTexts } from './worker/texts.ts';

const ArticlePage = lazyPart(async () => (await import('./article-page/article-page.tsx')).ArticlePage);
const CreateArticle = lazyPart(async () => (await import('./create-article/create-article.tsx')).CreateArticle);
const ReaderGroups = lazyPart(async () => (await import('./reader-groups/reader-groups.tsx')).ReaderGroups);
const Plans = lazyPart(async () => (await import('./plans/plans.tsx')).Plans);
const Replace = lazyPart(async () => (await import('./replace/replace.tsx')).Replace);

/** The page. What somebody typed remains when their token is not accepted any more, until they sign in again. */
export function App({ start }: { start: Start }) {
  const session = useSession(start);
  const [view, changeView] = useView();
  const { state, versions } = session;
  return (
    <>
      {state === 'loading' && <p role="status">Loading…</p>}
      {(state === 'out' || state === 'ended') && (
        <main className="welcome">
          <h1>Knowledge base</h1>
          <SignIn session={session} />
        </main>
      )}
      {versions && (
        <div className="content" inert={state !== 'in'} hidden={state !== 'in'}>
          <Toasts>
            <Content session={session} versions={versions} view={view} changeView={changeView} />
          </Toasts>
        </div>
      )}
    </>
  );
}

interface ContentProps extends Pick<Shared, 'versions' | 'view' | 'changeView'> {
  session: Session;
}

function Content({ session, versions, view, changeView }: ContentProps) {
  const versionLanguage = useMemo(() => versionLanguageOf(versions, view), [versions, view]);
  const categories = useCategories(session.api, versionLanguage);
  const [work, actions] = useWork();
  const [texts] = useState(createTexts);
  const [publication, setPublication] = useState<PublicationRequest | null>(null);
  const [replacing, setReplacing] = useState<readonly ArticleFieldsFragment[] | null>(null);
  const { end, ...updates } = useUpdated(work, actions);
  const jobs = useJobs(session.api, { isSignedIn: session.state === 'in', sent: work.sent, onEnd: end });
  useLeaveWarning(work.edits.size > 0 || work.unknown.size > 0);
  useKeptFocus();
  const shared: Shared = {
    ...session,
    ...updates,
    versions,
    versionLanguage,
    categories,
    view,
    changeView,
    work,
    actions,
    texts,
    jobs,
    publication,
    publish: (request) => {
      setPublication(request);
      if (request) changeView({ tab: 'publication' });
    },
    replacing,
    replace: (articles) => {
      setReplacing(articles);
      changeView({ tab: 'replace' });
    },
  };
  return (
    <SharedContext value={shared}>
      <Views isSignedIn={session.state === 'in'} />
    </SharedContext>
  );
}

/** The categories of a version and language; empty until they are read. */
function useCategories(api: Api, versionLanguage: VersionLanguage): readonly CategoryChoice[] {
  const wanted = versionLanguage.languageCode === '' ? null : versionLanguage;
  const { value, isLoading } = useLast(wanted, (asked) => api.send(CategoriesDocument, asked));
  return useMemo(() => (isLoading ? [] : choicesIn(value?.data?.categories ?? [])), [value, isLoading]);
}

/** The names of the views, and the view of the address. */
function Views({ isSignedIn }: { isSignedIn: boolean }) {
  const shared = useShared();
  const { view, versionLanguage, callerName, publication, replacing, jobs } = shared;
  const tabs = tabsOf(shared);
  const tab = tabs.some(([name]) => name === view.tab) ? view.tab : 'articles';
  useNotice(tab === 'jobs' ? null : jobs.problem);
  return (
    <>
      <Button className="unseen" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </Button>
      <header className="rail">
        <h1>Knowledge base</h1>
        <Tabs tab={tab} tabs={tabs} />
        {isSignedIn && <Keys />}
        {callerName !== null && <p className="hint">Signed in: {callerName}</p>}
      </header>
      <main tabIndex={-1}>
        {tab === 'replace' && replacing && <Replace articles={replacing} />}
        {tab === 'changes' && <Changes />}
        {tab === 'publication' && publication && <Publication request={publication} />}
        {tab === 'article' && <ArticlePage key={`${view.article} ${versionLanguage.languageCode}`} />}
        <KeptTab isShown={tab === 'groups'}>
          {(isEdited, onEdited) => <ReaderGroups isEdited={isEdited} onEdited={onEdited} />}
        </KeptTab>
        <KeptTab isShown={tab === 'plans'}>{(_isApplied, onApply) => <Plans onApply={onApply} />}</KeptTab>
        <KeptTab isShown={tab === 'create'}>{(_isEdited, onEdited) => <CreateArticle onEdited={onEdited} />}</KeptTab>
        {tab === 'unknown' && <Unknown />}
        {tab === 'jobs' && <Jobs />}
        <div className="column" hidden={tab !== 'articles'}>
          {versionLanguage.languageCode === '' ? (
            <p>There is no project version with a language.</p>
          ) : (
            <Articles key={`${versionLanguage.projectVersionId} ${versionLanguage.languageCode}`} />
          )}
        </div>
      </main>
    </>
  );
}

/** Focuses the active cell of the grid, or else the content, where what had the focus is gone, hidden or disabled. */
function useKeptFocus(): void {
  useEffect(() => {
    let hadFocus = document.activeElement !== document.body;
    const keep = () => {
      const { activeElement: focused, body } = document;
      hadFocus ||= focused !== body;
      if (!hadFocus || (focused !== body && focused?.checkVisibility() && !focused.matches(':disabled'))) return;
      const grid = document.querySelector('[role="grid"]');
      // A grid that has just been shown has no rows until the next frame.
      const home = grid?.checkVisibility() ? '[role="grid"] [tabindex="0"]' : 'main';
      document.querySelector<HTMLElement>(home)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => requestAnimationFrame(keep));
    const attributeFilter = ['disabled', 'hidden', 'inert'];
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter });
    return () => observer.disconnect();
  }, []);
}

/** The last updates, the function to call at the end of a job, and a count that makes the articles be read again. */
function useUpdated({ sent }: Work, actions: WorkActions) {
  const [reloads, setReloads] = useState(0);
  const reload = useCallback(() => setReloads((count) => count + 1), []);
  const [updated, setUpdated] = useState<readonly Edit[]>([]);
  const end = useCallback<JobsOptions['onEnd']>(
    (jobId, outcomes, modifiedAt) => {
      const items = sent.get(jobId) ?? [];
      const done = outcomes.flatMap(({ __typename, index, draftVersionNumber: latestVersionNumber }) => {
        const edit = items[index];
        if (__typename !== 'ArticleUpdated' || edit === undefined) return [];
        const draft = latestVersionNumber !== null && ({ latestVersionNumber, status: 'DRAFT' } as const);
        return { ...edit, article: { ...edit.article, modifiedAt, ...draft } };
      });
      setUpdated(done);
      actions.end(jobId, outcomes);
      // The page does not know the restored values, so the list is read again.
      if (items.every(({ aim }) => aim === 'undo')) reload();
    },
    [sent, actions, reload],
  );
  return { updated, showUpdated: setUpdated, end, reloads, reload };
}

interface KeptTabProps {
  isShown: boolean;
  children: (isKept: boolean, keep: (isKept: boolean) => void) => ReactNode;
}

/** A view that stays mounted while it says so, so that nothing typed or under way is lost. */
function KeptTab({ isShown, children }: KeptTabProps) {
  const [isKept, setIsKept] = useState(false);
  useLeaveWarning(isKept);
  if (!isShown && !isKept) return null;
  return (
    <div className="column" hidden={!isShown}>
      {children(isKept, setIsKept)}
    </div>
  );
}

/** Lets the browser ask before the page is closed or reloaded. */
function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

type TabEntry = readonly [name: Tab, label: string, count: number];

/** The views that have something to show. Without permission to write there are no changes. */
function tabsOf(shared: Shared): readonly TabEntry[] {
  const { work, jobs, view, publication, replacing, mayWrite, versionLanguage } = shared;
  const unsent = [...work.edits.keys()].filter((key) => !work.underWay.has(key)).length;
  const running = jobs.jobs.filter(({ done }) => !done).length;
  const tabs: readonly (TabEntry | false | null)[] = [
    ['articles', 'Articles', 0],
    view.article !== '' && ['article', 'Article', 0],
    mayWrite && view.tab === 'create' && versionLanguage.languageCode !== '' && ['create', 'New article', 0],
    mayWrite && replacing && ['replace', 'Find and replace', replacing.length],
    (mayWrite || unsent > 0) && ['changes', 'Changes', unsent],
    publication && ['publication', KIND_NAMES[publication.kind], publication.articles.length],
    work.unknown.size > 0 && ['unknown', 'Unknown', work.unknown.size],
    ['jobs', 'Jobs', running],
    ['groups', 'Reader groups', 0],
    mayWrite && ['plans', 'Plans', 0],
  ];
  return tabs.filter((entry) => entry !== false && entry !== null);
}

/** A narrow window shows a part of the views' names. */
const reveal = (button: HTMLElement | null) => button?.scrollIntoView({ block: 'nearest', inline: 'center' });

function Tabs({ tab, tabs }: { tab: Tab; tabs: readonly TabEntry[] }) {
  const { changeView } = useShared();
  return (
    <nav aria-label="Views">
      {tabs.map(([name, label, count]) => (
        <Button
          key={name}
          ref={tab === name ? reveal : null}
          aria-current={tab === name ? 'page' : undefined}
          onClick={() => changeView({ tab: name })}
        >
          {label}
          {count > 0 && ` (${count})`}
        </Button>
      ))}
    </nav>
  );
}

/** The version and language of the view, or the default where the view has none that exists; empty texts where none does. */
function versionLanguageOf(versions: ProjectVersions, view: View): VersionLanguage {
  const isDefault = (one: { readonly isDefault: boolean }) => one.isDefault;
  const version =
    versions.find((one) => one.projectVersionId === view.version) ?? versions.find(isDefault) ?? versions[0];
  const languages = version?.languages ?? [];
  const language = languages.find(({ code }) => code === view.language) ?? languages.find(isDefault) ?? languages[0];
  return { projectVersionId: version?.projectVersionId ?? '', languageCode: language?.code ?? '' };
}
