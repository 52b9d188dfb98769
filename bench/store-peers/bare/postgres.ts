import { Pool, type PoolClient } from 'pg';
import { databaseUrl } from '../settings.ts';
import type { Query } from './query.ts';
import { serveBare } from './server.ts';
import { ARTICLE_BYTES, OF_VERSION, TARGETS, type UpdateStatements, updateArticles } from './updates.ts';

// A handler over pg with the statements that the store needs at least, and as many connections as the gateway.

const pool = new Pool({ connectionString: databaseUrl, max: 10 });
const names = new Map<string, string>();

const queryOver =
  (connection: Pool | PoolClient): Query =>
  async (text, values) => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return (await connection.query({ name, text, values: [...values] })).rows;
  };

const sentRows = (columns: string): string => `json_to_recordset($1) as u (${columns})`;

const VERSION_KEY = 'article_id text, language_code text, version_number integer';

const UPDATE: UpdateStatements = {
  lock: `
    select count(*) from (select 1 from articles
      where id in (select json_array_elements_text($1)) order by id for no key update) as locked`,
  select: `
    select a.id as article_id, t.language_code, v.version_number, w.id as word_id, ${ARTICLE_BYTES}
    from json_array_elements_text($1) as k (value) ${TARGETS} order by w.id`,
  updateTexts: `
    update article_versions as v set title = u.title, content = u.content, modified_at = $2
    from ${sentRows(`${VERSION_KEY}, title text, content text`)} ${OF_VERSION}`,
  updateTitles: `
    update article_versions as v set title = u.title, modified_at = $2
    from ${sentRows(`${VERSION_KEY}, title text`)} ${OF_VERSION}`,
  updateTranslations: `
    update article_translations as t set title_key = u.title_key, modified_at = $2
    from ${sentRows('article_id text, language_code text, title_key text')}
    where t.article_id = u.article_id and t.language_code = u.language_code`,
  updateDigests: `
    update article_words as w set title_digest = u.title_digest, content_digest = u.content_digest
    from ${sentRows('id integer, title_digest text, content_digest text')} where w.id = u.id`,
  updateTitleDigests: `
    update article_words as w set title_digest = u.title_digest
    from ${sentRows('id integer, title_digest text')} where w.id = u.id`,
  writeTitleWords: `
    update article_title_words as w set words = array_to_tsvector(string_to_array(u.title_words, ' '))
    from ${sentRows('id integer, title_words text')} where w.id = u.id`,
  writeContentWords: `
    update article_content_words as w set words = array_to_tsvector(string_to_array(u.content_words, ' '))
    from ${sentRows('id integer, content_words text')} where w.id = u.id`,
};

serveBare({
  query: queryOver(pool),
  update: async (changes) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const outcomes = await updateArticles(queryOver(client), UPDATE, changes);
      await client.query('commit');
      return outcomes;
    } finally {
      client.release();
    }
  },
});
