import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Articles } from './articles/articles.tsx';
import type { Edit } from './articles/edits.ts';
import { Changes } from './changes/changes.tsx';
import { Unknown } from './changes/unknown.tsx';
import type { ArticleFieldsFragment } from './generated/graphql.ts';
import { Jobs } from './jobs/jobs.tsx';
import { type JobsOptions, type Jobs as JobsState, useJobs } from './jobs/use-jobs.ts';
import { Keys } from './keys.tsx';
import { Button, lazyPart, Toasts, useNotice } from './parts.tsx';
import { KIND_NAMES, Publication, type PublicationRequest } from './publication/publication.tsx';
import { type ProjectVersions, type Session, type Start, useSession } from './session.ts';
import { type Shared, SharedContext, useShared } from './shared.ts';
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
  const [work, actions] = useWork();
  const [texts] = useState(createTexts);
  const [publication, setPublication] = useState<PublicationRequest | null>(null);
  const [replacing, setReplacing] = useState<readonly ArticleFieldsFragment[] | null>(null);
  const { updated, show, end, reloads, reload } = useUpdated(work, actions);
  const jobs = useJobs(session.api, { isSignedIn: session.state === 'in', sent: work.sent, onEnd: end });
  useLeaveWarning(work.edits.size > 0 || work.unknown.size > 0);
  const publish = (request: PublicationRequest) => {
    setPublication(request);
    changeView({ tab: 'publication' });
  };
  const replace = (articles: readonly ArticleFieldsFragment[]) => {
    setReplacing(articles);
    changeView({ tab: 'replace' });
  };
  const showPublished = () => {
    setPublication(null);
    reload();
    changeView({ tab: 'articles' });
  };
  const tabs = tabsOf({ work, jobs, view, publication, replacing, mayWrite: session.mayWrite });
  const tab = tabs.some(([name]) => name === view.tab) ? view.tab : 'articles';
  useKeptFocus();
  useNotice(tab === 'jobs' ? null : jobs.problem);
  return (
    <SharedContext value={{ ...session, versions, versionLanguage, view, changeView, work, actions, texts }}>
      <Button className="unseen" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </Button>
      <header className="rail">
        <h1>Knowledge base</h1>
        <Tabs tab={tab} tabs={tabs} />
        {session.state === 'in' && <Keys />}
        {session.callerName !== null && <p className="hint">Signed in: {session.callerName}</p>}
      </header>
      <main tabIndex={-1}>
        {tab === 'replace' && replacing && <Replace articles={replacing} />}
        {tab === 'changes' && <Changes onTheirs={show} />}
        {tab === 'publication' && publication && (
          <Publication request={publication} onChange={setPublication} onDone={showPublished} />
        )}
        {tab === 'article' && (
          <ArticlePage key={`${view.article} ${versionLanguage?.languageCode}`} updated={updated} />
        )}
        <KeptTabs tab={tab} reload={reload} />
        {tab === 'unknown' && <Unknown onPublish={publish} />}
        {tab === 'jobs' && <Jobs state={jobs} />}
        <div className="column" hidden={tab !== 'articles'}>
          {!versionLanguage && <p>There is no project version with a language.</p>}
          {versionLanguage && (
            <Articles
              key={`${versionLanguage.projectVersionId} ${versionLanguage.languageCode}`}
              versionLanguage={versionLanguage}
              updated={updated}
              reloads={reloads}
              onReplace={replace}
              onPublish={publish}
            />
          )}
        </div>
      </main>
    </SharedContext>
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
  return { updated, show: setUpdated, end, reloads, reload };
}

interface KeptTabProps {
  isShown: boolean;
  children: (isKept: boolean, keep: (isKept: boolean) => void) => ReactNode;
}

/** The views in which something may be typed that is not among the changes. */
function KeptTabs({ tab, reload }: { tab: Tab; reload: () => void }) {
  const { versionLanguage, changeView } = useShared();
  const showCreated = (article: string, language: string) => {
    reload();
    changeView({ tab: 'article', article, language });
  };
  return (
    <>
      <KeptTab isShown={tab === 'groups'}>
        {(isEdited, onEdited) => <ReaderGroups isEdited={isEdited} onEdited={onEdited} />}
      </KeptTab>
      <KeptTab isShown={tab === 'plans'}>{(_isApplied, onApply) => <Plans onApply={onApply} onEnd={reload} />}</KeptTab>
      <KeptTab isShown={tab === 'create'}>
        {(_, onEdited) =>
          versionLanguage && (
            <CreateArticle versionLanguage={versionLanguage} onEdited={onEdited} onCreated={showCreated} />
          )
        }
      </KeptTab>
    </>
  );
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

interface TabsOptions {
  readonly work: Work;
  readonly jobs: JobsState;
  readonly view: View;
  readonly publication: PublicationRequest | null;
  readonly replacing: readonly ArticleFieldsFragment[] | null;
  readonly mayWrite: boolean;
}

type TabEntry = readonly [name: Tab, label: string, count: number];

/** The views that have something to show. Without permission to write there are no changes. */
function tabsOf({ work, jobs, view, publication, replacing, mayWrite }: TabsOptions): readonly TabEntry[] {
  const unsent = [...work.edits.keys()].filter((key) => !work.underWay.has(key)).length;
  const running = jobs.jobs.filter(({ done }) => !done).length;
  const tabs: readonly (TabEntry | false | null)[] = [
    ['articles', 'Articles', 0],
    view.article !== '' && ['article', 'Article', 0],
    mayWrite && view.tab === 'create' && ['create', 'New article', 0],
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

/** The version and language of the view, or the default where the view has none that exists. */
function versionLanguageOf(versions: ProjectVersions, view: View): VersionLanguage | null {
  const isDefault = (one: { readonly isDefault: boolean }) => one.isDefault;
  const version =
    versions.find((one) => one.projectVersionId === view.version) ?? versions.find(isDefault) ?? versions[0];
  const languages = version?.languages ?? [];
  const language = languages.find(({ code }) => code === view.language) ?? languages.find(isDefault) ?? languages[0];
  return version && language ? { projectVersionId: version.projectVersionId, languageCode: language.code } : null;
}
