import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

// Prints a row for each Markdown file of a folder: its name is the ID of the article, its first heading the title.
const [folder = 'articles'] = process.argv.slice(2);

for (const path of globSync(`${folder}/*.md`).sort()) {
  const content = readFileSync(path, 'utf8');
  const [, title] = /^# (.+)$/mu.exec(content) ?? [];
  process.stdout.write(`${JSON.stringify({ articleId: basename(path, '.md'), title, content })}\n`);
}
