import { createContext, use, useEffect, useEffectEvent, useState } from 'react';
import type { Api } from './api.ts';
import type { CategoryChoice } from './articles/categories.ts';
import type { Edit, PublicationRequest } from './articles/edits.ts';
import type { ArticleFieldsFragment, TypedDocumentString } from './generated/graphql.ts';
import type { Jobs } from './jobs/use-jobs.ts';
import type { ProjectVersions, Session } from './session.ts';
import type { VersionLanguage, View } from './view.ts';
import type { Work, WorkActions } from './work.ts';
import type { Made, Request, Texts } from './worker/texts.ts';

/** The values that all views of the page use. */
export interface Shared extends Pick<Session, 'callerName' | 'mayWrite' | 'mayPublish' | 'mayWriteGroups'> {
  readonly api: Api;
  readonly versions: ProjectVersions;
  /** The version and language of the view; empty texts where there is none. */
  readonly versionLanguage: VersionLanguage;
  /** The categories of these, each before those in it; empty until they are read. */
  readonly categories: readonly CategoryChoice[];
  readonly view: View;
  readonly changeView: (change: Partial<View>) => void;
  readonly work: Work;
  readonly actions: WorkActions;
  readonly texts: Texts;
  readonly jobs: Jobs;
  /** The last updates, which a list shows without reading it again. */
  readonly updated: readonly Edit[];
  readonly showUpdated: (updated: readonly Edit[]) => void;
  /** The number of publications, reverts and other writes after which the list is read again. */
  readonly reloads: number;
  readonly reload: () => void;
  /** The articles to publish, and those to search, once somebody has asked for that. */
  readonly publication: PublicationRequest | null;
  readonly publish: (request: PublicationRequest | null) => void;
  readonly replacing: readonly ArticleFieldsFragment[] | null;
  readonly replace: (articles: readonly ArticleFieldsFragment[]) => void;
}

export const SharedContext = createContext<Shared | null>(null);

export function useShared(): Shared {
  const shared = use(SharedContext);
  if (shared === null) throw new Error('A view is outside of the page.');
  return shared;
}

/** What was read last. It is read again when something else is wanted, and nothing is read for null. */
export function useLast<Wanted, Value>(
  wanted: Wanted | null,
  read: (wanted: Wanted, isWanted: () => boolean) => Promise<Value>,
) {
  const wantedKey = JSON.stringify(wanted);
  const [last, setLast] = useState<{ readonly key: string; readonly value: Value } | null>(null);
  const start = useEffectEvent(async (key: string, isWanted: () => boolean) => {
    if (wanted === null) return;
    const value = await read(wanted, isWanted);
    if (isWanted()) setLast({ key, value });
  });
  useEffect(() => {
    let isWanted = true;
    void start(wantedKey, () => isWanted);
    return () => {
      isWanted = false;
    };
  }, [wantedKey]);
  return { value: last?.value, isLoading: last?.key !== wantedKey };
}

/** The answer to a document. It is requested again when its variables or the version change. Null variables ask nothing. */
export function useAnswer<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  { variables, version }: { readonly variables: Variables | null; readonly version?: string | number },
) {
  const { api } = useShared();
  const wanted = variables === null ? null : { variables, version };
  const { value, isLoading } = useLast(wanted, (asked) => api.send(document, asked.variables));
  const { data = null, failure } = value ?? {};
  // It is loading until the first answer, and while another answer is awaited.
  return { data, problem: failure?.message ?? null, code: failure?.code ?? null, isLoading };
}

/** What the worker makes of a text: the last one until the next one is made, undefined before the first one, and null where it takes too long. */
export function useMade<Of extends Request>(request: Of): Made<Of> | null | undefined {
  const { texts } = useShared();
  return useLast(request, texts.make).value;
}
