import { type Behaviour, envelope, type FaultyService, json, reset } from './faulty-service.ts';

/** What the service does with a write: `cut-before` and `cut-after` close the connection without an answer. */
export type WriteMode = 'answered' | 'refused' | 'cut-before' | 'cut-after';

interface Version {
  readonly version_number: number;
  readonly base_version: number;
  readonly status: 0 | 3;
  readonly created_at: string;
  title: string;
}

interface Text {
  readonly versions: Version[];
  public_version: number;
}

export interface ForkingOptions {
  readonly fork?: WriteMode;
  readonly update?: WriteMode;
  /** False for a text of which no version was published. */
  readonly isPublished?: boolean;
}

const LONG_AGO = '2020-01-01T00:00:00Z';

/**
 * A service with one article `a1` in two languages, whose versions 1 and 2 have a text. Version 2 is the public one, or a
 * draft. It forks, and changes the version that an update names.
 */
export class ForkingService {
  readonly texts: Readonly<Record<string, Text>>;
  readonly #modes: Required<ForkingOptions>;
  readonly #service: FaultyService;

  constructor(service: FaultyService, options: ForkingOptions = {}) {
    this.#service = service;
    this.#modes = { fork: 'answered', update: 'answered', isPublished: true, ...options };
    const textOf = (): Text => ({
      public_version: this.#modes.isPublished ? 2 : 0,
      versions: [1, 2].map((n) => ({
        version_number: n,
        base_version: n - 1,
        status: n === 2 && this.#modes.isPublished ? 3 : 0,
        created_at: LONG_AGO,
        title: `Version ${n}`,
      })),
    });
    this.texts = { en: textOf(), de: textOf() };
    service.onAny((response, request) => this.#read(request.url)(response, request));
    service.on('PUT /v2/Articles/a1/fork', this.#write(this.#modes.fork, this.fork));
    service.on('PUT /v2/Articles/bulkupdate', this.#write(this.#modes.update, this.#update));
  }

  /** Makes a draft, as somebody else does in the editor. */
  addDraft(languageCode: string, base: number, createdAt: string): number {
    const { versions } = this.#textOf(languageCode);
    const version_number = versions.length + 1;
    const title = versions.find((version) => version.version_number === base)?.title ?? '';
    versions.push({ version_number, base_version: base, status: 0, created_at: createdAt, title });
    return version_number;
  }

  /** The numbers of writes by their last segment. */
  get puts() {
    const paths = this.#service.received
      .filter(({ method }) => method === 'PUT')
      .map(({ url }) => url.split('/').at(-1));
    const countOf = (name: string) => paths.filter((path) => path === name).length;
    return { fork: countOf('fork'), bulkupdate: countOf('bulkupdate') };
  }

  #textOf(languageCode: string): Text {
    const text = this.texts[languageCode.toLowerCase()];
    if (text === undefined) throw new Error(`The article has no text in ${languageCode}.`);
    return text;
  }

  #write(mode: WriteMode, apply: (body: unknown) => unknown): Behaviour {
    return (response, request) => {
      if (mode === 'refused') return refused(response, request);
      if (mode === 'cut-before') return reset()(response, request);
      const data = apply(request.body);
      return (mode === 'answered' ? json(200, envelope(data)) : reset())(response, request);
    };
  }

  readonly fork = (body: unknown): unknown => {
    const { version_number, lang_code } = Object(body);
    const draft = this.addDraft(lang_code, version_number, new Date().toISOString());
    return this.#textOf(lang_code).versions.find((version) => version.version_number === draft);
  };

  readonly #update = (body: unknown): unknown =>
    (Array.isArray(body) ? body : []).map(({ article_id, lang_code, version_number, title }) => {
      const { versions } = this.#textOf(lang_code ?? 'en');
      const version = versions.find((one) => one.version_number === (version_number ?? versions.length));
      if (version !== undefined && typeof title === 'string') version.title = title;
      return { article_id, success: version !== undefined, details: null };
    });

  #read(url: string): Behaviour {
    const [, , resource, , languageCode = '', kind, number] = new URL(url, 'http://service').pathname.split('/');
    if (resource === 'ProjectVersions') return json(200, envelope([PROJECT_VERSION]));
    const { versions, public_version } = this.#textOf(languageCode);
    if (kind === 'versions' && number === undefined) return json(200, envelope(versions));
    const version = versions.find(({ version_number }) => version_number === Number(number ?? versions.length));
    const members = { id: 'a1', project_version_id: 'v1', content: 'Text', hidden: false, order: 1 };
    return json(200, envelope({ ...members, ...version, public_version, latest_version: versions.length }));
  }
}

const refused = json(400, { success: false, errors: [{ description: 'No.', error_code: '400' }] });

const PROJECT_VERSION = {
  id: 'v1',
  version_code_name: 'v1',
  is_main_version: true,
  language_versions: ['en', 'de'].map((code, n) => ({ code, name: code, set_as_default: n === 0 })),
};
