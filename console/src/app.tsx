import { Articles } from './articles/articles.tsx';
import { type ProjectVersions, type Session, useSession } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { useView, type View } from './view.ts';

/** What somebody typed stays when their token is not accepted any more, until they sign in again. */
export function App({ linked }: { linked: string | null }) {
  const session = useSession(linked);
  const [view, changeView] = useView();
  const { state, versions } = session;
  return (
    <>
      {state === 'loading' && <p role="status">Loading…</p>}
      {(state === 'out' || state === 'ended') && (
        <main>
          <h1>Knowledge base</h1>
          <SignIn session={session} />
        </main>
      )}
      {versions && (
        <div className="content" inert={state !== 'in'} hidden={state !== 'in'}>
          <Content {...{ session, versions, view, changeView }} />
        </div>
      )}
    </>
  );
}

interface ContentProps {
  session: Session;
  versions: ProjectVersions;
  view: View;
  changeView: (change: Partial<View>) => void;
}

function Content({ session, versions, view, changeView }: ContentProps) {
  const edition = editionOf(versions, view);
  return (
    <>
      <header className="bar">
        <h1>Knowledge base</h1>
        {edition && <EditionChoice {...{ versions, edition, changeView }} />}
      </header>
      <main>
        {edition ? (
          <Articles
            key={`${edition.projectVersionId} ${edition.languageCode}`}
            {...{ session, edition, view, changeView }}
          />
        ) : (
          <p>There is no project version with a language.</p>
        )}
      </main>
    </>
  );
}

export interface Edition {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

/** The edition of the view, or the default where there is no such one. */
function editionOf(versions: ProjectVersions, view: View): Edition | null {
  const version =
    versions.find(({ projectVersionId }) => projectVersionId === view.version) ??
    versions.find(({ isDefault }) => isDefault) ??
    versions[0];
  const languages = version?.languages ?? [];
  const language =
    languages.find(({ code }) => code === view.language) ??
    languages.find(({ isDefault }) => isDefault) ??
    languages[0];
  return version && language ? { projectVersionId: version.projectVersionId, languageCode: language.code } : null;
}

interface EditionChoiceProps extends Pick<ContentProps, 'versions' | 'changeView'> {
  edition: Edition;
}

function EditionChoice({ versions, edition, changeView }: EditionChoiceProps) {
  const languages =
    versions.find(({ projectVersionId }) => projectVersionId === edition.projectVersionId)?.languages ?? [];
  return (
    <>
      <label>
        Version
        <select
          value={edition.projectVersionId}
          onChange={({ target }) => changeView({ version: target.value, language: '', category: '' })}
        >
          {versions.map(({ projectVersionId, name }) => (
            <option key={projectVersionId} value={projectVersionId}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Language
        <select value={edition.languageCode} onChange={({ target }) => changeView({ language: target.value })}>
          {languages.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
