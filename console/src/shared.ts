import { createContext, use, useEffect, useState } from 'react';
import type { Answer, Api, Payloads } from './api.ts';
import type { TypedDocumentString } from './generated/graphql.ts';
import type { ProjectVersions, Session } from './session.ts';
import type { VersionLanguage, View } from './view.ts';
import type { Work, WorkActions } from './work.ts';
import type { Made, Request, Texts } from './worker/texts.ts';

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

interface Asked<Data> {
  readonly data: Payloads<Data> | null;
  readonly problem: string | null;
  readonly code: string | null;
  /** True until the first answer, and while another answer is awaited. */
  readonly isLoading: boolean;
}

/** The answer to a document. It is requested again when its variables or the version change. */
export function useAnswer<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  { variables, version = null }: { readonly variables: Variables; readonly version?: unknown },
): Asked<Data> {
  const { api } = useShared();
  const [last, setLast] = useState<{ answer: Answer<Data>; text: string; version: unknown } | null>(null);
  const text = JSON.stringify(variables);
  useEffect(() => {
    let isWanted = true;
    void api.send(document, JSON.parse(text)).then((answer) => {
      if (isWanted) setLast({ answer, text, version });
    });
    return () => {
      isWanted = false;
    };
  }, [api, document, text, version]);
  const failure = last?.answer.failure;
  return {
    data: last?.answer.data ?? null,
    problem: failure?.message ?? null,
    code: failure?.code ?? null,
    isLoading: last?.text !== text || last.version !== version,
  };
}

/** What the worker makes of a text: the last one until the next one is made, undefined before the first one, and null where it takes too long. */
export function useMade<Of extends Request>(request: Of): Made<Of> | null | undefined {
  const { texts } = useShared();
  const [made, setMade] = useState<Made<Of> | null>();
  const key = JSON.stringify(request);
  useEffect(() => {
    let isWanted = true;
    const wanted: Of = JSON.parse(key);
    void texts.make(wanted, () => isWanted).then((next) => isWanted && setMade(() => next));
    return () => {
      isWanted = false;
    };
  }, [texts, key]);
  return made;
}
