import { Pool, type PoolClient } from 'pg';
import { databaseUrl } from '../settings.ts';
import type { Query } from './query.ts';
import { serveBare } from './server.ts';
import { type UpdateStatements, updateArticles } from './updates.ts';

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

const UPDATE: UpdateStatements = {
  select: `
    select t.article_id, w.id as word_id
    from json_array_elements_text($1) as k (article_id)
    join article_translations as t on t.article_id = k.article_id and t.language_code = 'en'
    join article_words as w on w.article_id = t.article_id and w.language_code = t.language_code
    order by w.id for no key update of t`,
  updateVersions: `
    update article_versions as v set title = u.title, content = u.content, modified_at = $2
    from ${sentRows('article_id text, title text, content text')}, article_translations as t
    where t.article_id = u.article_id and t.language_code = 'en' and v.article_id = t.article_id
      and v.language_code = t.language_code and v.version_number = t.latest_version_number`,
  updateTranslations: `
    update article_translations as t set title_key = u.title_key, modified_at = $2
    from ${sentRows('article_id text, title_key text')} where t.article_id = u.article_id and t.language_code = 'en'`,
  updateDigests: `
    update article_words as w set title_digest = u.title_digest, content_digest = u.content_digest
    from ${sentRows('id integer, title_digest text, content_digest text')} where w.id = u.id`,
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
