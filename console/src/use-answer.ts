import { useEffect, useState } from 'react';
import type { Answer, Payloads } from './api.ts';
import type { TypedDocumentString } from './generated/graphql.ts';
import { useShared } from './shared.ts';

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
