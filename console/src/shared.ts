import { createContext, use } from 'react';
import type { Api } from './api.ts';
import type { ProjectVersions, Session } from './session.ts';
import type { VersionLanguage, View } from './view.ts';
import type { Work, WorkActions } from './work.ts';
import type { Texts } from './worker/texts.ts';

/** The values that all views of the page use. */
export interface Shared extends Pick<Session, 'callerName' | 'mayWrite' | 'mayPublish' | 'mayWriteGroups'> {
  readonly api: Api;
  readonly versions: ProjectVersions;
  /** The version and language of the view; null where there is none. */
  readonly versionLanguage: VersionLanguage | null;
  readonly view: View;
  readonly changeView: (change: Partial<View>) => void;
  readonly work: Work;
  readonly actions: WorkActions;
  readonly texts: Texts;
}

export const SharedContext = createContext<Shared | null>(null);

export function useShared(): Shared {
  const shared = use(SharedContext);
  if (shared === null) throw new Error('A view is outside of the page.');
  return shared;
}
