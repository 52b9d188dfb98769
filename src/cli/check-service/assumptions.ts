/** What the gateway takes for granted of the service, or adapts to: a line of `check-service` each. */
interface Assumption {
  readonly part: 'read' | 'write';
  readonly name: string;
  /** What is seen where the service is as the gateway expects. */
  readonly expected: string;
  /** What else may be seen: what it means, and what to set. */
  readonly otherwise: Readonly<Record<string, string>>;
}

/** The assumptions in the order of their lines. docs/reference/check-service.md is written from this table. */
export const ASSUMPTIONS = {
  listLanguages: {
    part: 'read',
    name: 'languages of lists',
    expected: 'Entries have the code of the language that was asked for.',
    otherwise: {
      null: 'Entries have no code. They count as the requested language; nothing to set.',
      default:
        'Entries always have the default code, so lists prove nothing of other languages: counts are null, and exports need --texts.',
    },
  },
  standIns: {
    part: 'read',
    name: 'untranslated articles',
    expected: 'Lists leave out what has no text in their language.',
    otherwise: {
      listed:
        'Lists show such articles by their default text. The gateway leaves them out where their code tells; else export with --texts.',
    },
  },
  readers: {
    part: 'read',
    name: 'shape of readers',
    expected: 'Readers are a list under result.',
    otherwise: {
      object: 'One reader is a bare object. It is read as a list of one; nothing to set.',
      list: 'Readers are a list elsewhere than under result. It is read; nothing to set.',
    },
  },
  dates: {
    part: 'read',
    name: 'dates',
    expected: 'All times can be read.',
    otherwise: { unreadable: 'Some times have another form, and are null here: do not filter by modifiedSince.' },
  },
  paging: {
    part: 'read',
    name: 'paging',
    expected: 'Lists of articles respect page and hitsPerPage.',
    otherwise: {
      ignored: 'Lists come whole. One of more than 1,000 articles may be cut: count those that you export.',
    },
  },
  contentTypes: {
    part: 'read',
    name: 'content types',
    expected: 'Lists have the editor of an article, the same as its read.',
    otherwise: {
      absent: 'Lists lack the editor, so it is null until an article is read; nothing to set.',
      different: 'Lists and reads name different editors. The read counts; nothing to set.',
    },
  },
  rateLimit: {
    part: 'read',
    name: 'rate limit',
    expected: 'Each answer has X-RateLimit-Remaining.',
    otherwise: {
      absent: 'The gateway learns of the limit only by a 429. Share the state of several gateways (STATE_URL).',
    },
  },
  ids: {
    part: 'write',
    name: 'case of IDs',
    expected: 'Writes and reads give an ID in the same case.',
    otherwise: { changed: 'They differ in case. The gateway compares without it; your own programs must, too.' },
  },
  lag: {
    part: 'write',
    name: 'reads after writes',
    expected: 'A read shows a write at once.',
    otherwise: {
      later: 'Reads lag. The gateway allows an article 10 s and lists 60 s; nothing to set.',
      never: 'A write was not shown within 12 reads: trust no preview within a minute of a write.',
    },
  },
  hidden: {
    part: 'write',
    name: 'hidden, left out',
    expected: 'An update without hidden keeps the article hidden.',
    otherwise: { reset: 'Such an update shows a hidden article. Leave KEEP_HIDDEN on, which is its default.' },
  },
  order: {
    part: 'write',
    name: 'order, left out',
    expected: 'An update without order keeps the position.',
    otherwise: { reset: 'Such an update loses the position. Send order with each update of an article that has one.' },
  },
  texts: {
    part: 'write',
    name: 'texts',
    expected: 'A text is read as it was sent.',
    otherwise: {
      trimmed: 'White space at the ends is cut off. The gateway compares without it; nothing to set.',
      rewritten: 'HTML is rewritten, so an update may be evident only by its time; nothing to set.',
    },
  },
  modifiedAt: {
    part: 'write',
    name: 'time of change',
    expected: 'A change of the text moves modified_at.',
    otherwise: { kept: 'It does not: isStale and modifiedSince miss changes.' },
  },
  failingItem: {
    part: 'write',
    name: 'failing item',
    expected: 'A bulk update with one answers 200, success, and an entry for each item.',
    otherwise: {
      unsuccessful: 'The answer says success: false, with an entry for each item. They are read; nothing to set.',
      refused:
        'The answer is an error without entries, so all items of that call are unknown: use a small UPSTREAM_BULK_SIZE.',
      accepted: 'The item of an unknown article counts as updated: preview before you update.',
    },
  },
  publish: {
    part: 'write',
    name: 'publishing',
    expected: 'It makes the version public, and the article stays hidden.',
    otherwise: {
      refused: 'The service refuses it: check the token and the role of the user.',
      unseen: 'It succeeds, and reads do not show it: verify what you publish.',
      shown: 'It shows a hidden article. Publish no hidden ones.',
    },
  },
  publishAnswer: {
    part: 'write',
    name: 'answer of publishing',
    expected: 'It has an entry for each item.',
    otherwise: { object: 'It is one object, so the gateway reads the articles to learn the outcomes; nothing to set.' },
  },
  publishedUpdate: {
    part: 'write',
    name: 'update of a published version',
    expected: 'It changes the public text in place, at once.',
    otherwise: {
      refused: 'It is refused. Update with ifPublished: FORK.',
      version: 'It makes a draft, and readers see the old text. Publish after updates (--publish).',
    },
  },
  fork: {
    part: 'write',
    name: 'fork',
    expected: 'It makes one draft whose base is the forked version.',
    otherwise: {
      refused: 'It is refused. Use ifPublished: UPDATE or SKIP.',
      other: 'What it makes is no such draft. Use ifPublished: UPDATE or SKIP.',
    },
  },
  unpublish: {
    part: 'write',
    name: 'unpublishing',
    expected: 'It leaves no public version.',
    otherwise: {
      refused: 'It is refused: unpublish in the portal.',
      unseen: 'It succeeds, and a version is still public: verify what you unpublish.',
    },
  },
  newLanguage: {
    part: 'write',
    name: 'update without a translation',
    expected: 'An update in a language without a text is refused.',
    otherwise: { created: 'It makes a translation, as previews warn.' },
  },
} as const satisfies Record<string, Assumption>;

type AssumptionName = keyof typeof ASSUMPTIONS;

/** What was seen of each assumption, by its codes. */
export type Findings = {
  readonly [Name in AssumptionName]?: 'expected' | keyof (typeof ASSUMPTIONS)[Name]['otherwise'];
};
