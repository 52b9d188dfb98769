import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

// Prints a row for each Markdown file of a folder: its name is the ID of the article, the heading that it begins with (or
// the title of its front matter) the title, and the rest the text.
const FRONT_MATTER = /^---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|$)/u;
const HEADING = /^\s*# +(.+)/u;
const TITLE = /^title: *(["']?)(?<title>.+)\1 *$/mu;
const [folder = 'articles'] = process.argv.slice(2);

for (const path of globSync(`${folder}/*.md`).sort()) {
  const file = readFileSync(path, 'utf8').replaceAll(/^\uFEFF|\r/gu, '');
  const [frontMatter = ''] = FRONT_MATTER.exec(file) ?? [];
  const body = file.slice(frontMatter.length);
  const [heading = '', title = TITLE.exec(frontMatter)?.groups?.title] = HEADING.exec(body) ?? [];
  const content = `${body.slice(heading.length).trim()}\n`;
  process.stdout.write(`${JSON.stringify({ articleId: basename(path, '.md'), title: title?.trim(), content })}\n`);
}
