import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';

interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly { readonly message: string }[];
}

export const createExecute =
  (url: string, token: string) =>
  async <Result, Variables>(
    document: DocumentTypeDecoration<Result, Variables>,
    variables: Variables,
  ): Promise<Answer<Result>> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-token': token },
      body: JSON.stringify({ query: String(document), variables }),
    });
    return response.json();
  };
