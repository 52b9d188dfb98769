import type { Target } from '../../../../test/clients/demo-gateway.ts';
import type { TestClient } from '../client-suite.ts';

/** A client library, or a tool whose output is the client. */
export interface Library {
  readonly name: string;
  /** How the client is set up, as the page shows it. */
  readonly setup: string;
  /** The packages whose versions the page shows. */
  readonly packages: readonly string[];
  /** The file of `typed-program` that names the types of this library; null where another tool makes the types. */
  readonly types: string | null;
  /** Compiles the documents, as far as the library does so, into an empty folder. */
  open(target: Target, documents: string, folder: string): Promise<TestClient>;
}
