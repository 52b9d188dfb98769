-- The relation to the latest version, which is no foreign key of the tables.
comment on table article_translations is E'@foreignKey (article_id, language_code, latest_version_number) references article_versions (article_id, language_code, version_number)|@fieldName latestVersion';

-- Bulk updates as users of PostGraphile write them: a function, which is a mutation.
create type article_change as (article_id text, title text, content text);

create function update_articles(changes article_change[]) returns setof article_versions as $$
  update article_translations as t set title_key = lower(left(u.title, 200)), modified_at = now()::text
  from unnest(changes) as u
  where t.article_id = u.article_id and t.language_code = 'en';

  update article_versions as v set title = u.title, content = u.content, modified_at = now()::text
  from unnest(changes) as u, article_translations as t
  where t.article_id = u.article_id and t.language_code = 'en'
    and v.article_id = t.article_id and v.language_code = t.language_code and v.version_number = t.latest_version_number
  returning v.*;
$$ language sql volatile strict;
