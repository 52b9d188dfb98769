import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { databaseUrl } from '../settings.ts';
import type { Query } from './query.ts';
import { serveBare } from './server.ts';
import { ARTICLE_BYTES, OF_VERSION, TARGETS, type UpdateStatements, updateArticles } from './updates.ts';

// A handler over node:sqlite with the statements that the store needs at least, as durable as the store.

const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: 5_000 });
database.exec('pragma synchronous = full');
const statements = new Map<string, StatementSync>();

const query: Query = (text, values) => {
  const statement = statements.get(text) ?? database.prepare(text);
  statements.set(text, statement);
  return statement.all(Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value])));
};

const sentRows = (...names: readonly string[]): string =>
  `(select ${names.map((name) => `value ->> '$.${name}' as ${name}`).join(', ')} from json_each($1)) as u`;

const UPDATE: UpdateStatements = {
  select: `
    select a.id as article_id, t.language_code, v.version_number, w.id as word_id, ${ARTICLE_BYTES}
    from json_each($1) as k ${TARGETS} order by w.id`,
  updateTexts: `
    update article_versions as v set title = u.title, content = u.content, modified_at = $2
    from ${sentRows('article_id', 'language_code', 'version_number', 'title', 'content')} ${OF_VERSION}`,
  updateTitles: `
    update article_versions as v set title = u.title, modified_at = $2
    from ${sentRows('article_id', 'language_code', 'version_number', 'title')} ${OF_VERSION}`,
  updateTranslations: `
    update article_translations as t set title_key = u.title_key, modified_at = $2
    from ${sentRows('article_id', 'language_code', 'title_key')}
    where t.article_id = u.article_id and t.language_code = u.language_code`,
  updateDigests: `
    update article_words as w set title_digest = u.title_digest, content_digest = u.content_digest
    from ${sentRows('id', 'title_digest', 'content_digest')} where w.id = u.id`,
  updateTitleDigests: `
    update article_words as w set title_digest = u.title_digest
    from ${sentRows('id', 'title_digest')} where w.id = u.id`,
  writeTitleWords: `
    insert or replace into article_title_words (rowid, title)
    select id, title_words from ${sentRows('id', 'title_words')} order by id`,
  writeContentWords: `
    insert or replace into article_content_words (rowid, content)
    select id, content_words from ${sentRows('id', 'content_words')} order by id`,
};

let last: Promise<unknown> = Promise.resolve();

serveBare({
  query,
  update: (changes) => {
    last = last.then(async () => {
      query('begin immediate', []);
      const outcomes = await updateArticles(query, UPDATE, changes);
      query('commit', []);
      return outcomes;
    });
    return last;
  },
});
