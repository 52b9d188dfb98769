import { parseCell, parseColumns, readCsvRows, unknownField } from '../../src/cli/bulk-update/article-rows.ts';
import { checkRows } from '../../src/cli/bulk-update/input-rows.ts';
import { splitFrontMatter } from '../../src/cli/folder/front-matter.ts';
import { describeTextReaders } from '../support/linear-texts.ts';
import { times } from '../support/repeat.ts';

describeTextReaders('cli', {
  functions: {
    'bulk-update/article-rows.ts': [
      (text) => parseCell('order', text),
      (text) => parseCell('title', text),
      parseColumns,
      unknownField,
      (text) => [...readCsvRows(Buffer.from(`articleId,title\n${text}`), new Map())],
      (text) => [...readCsvRows(Buffer.from(text), new Map())],
      (text) => Array.from(readCsvRows(Buffer.from(times(text.length / 8, (n) => `c${n}`, ',')), new Map())),
    ],
    'bulk-update/input-rows.ts': [
      (text) => checkRows('the input', Buffer.from(text), { format: 'json', mapping: new Map() }),
      (text) =>
        checkRows('the input', Buffer.from(`[{"articleId":${JSON.stringify(text)}}${text}`), {
          format: 'json',
          mapping: new Map(),
        }),
      (text) => checkRows('the input', Buffer.from(text), { format: 'ndjson', mapping: new Map() }),
    ],
    'folder/front-matter.ts': [
      splitFrontMatter,
      (text) => splitFrontMatter(`---\n${text}\n---\n# ${text}`),
      (text) => splitFrontMatter(`+++\n${text}\n+++\n# ${text}`),
    ],
  },
  withoutLongTexts: [
    // Names of files, titles and fields of front matter.
    'folder/build-plan.ts',
    'folder/conventions.ts',
    'folder/file-fields.ts',
    'folder/folder-names.ts',
    'folder/folder-commands.ts',
    'folder/lock-file.ts',
    // Texts of at most MAX_PARSED characters, since the parser of Markdown takes their square for some.
    'folder/markdown-text.ts',
    'folder/plan-page.ts',
    'folder/read-folder.ts',
    'knowledge-base/init.ts',
    'bulk-update/gateway-client.ts',
    'bulk-update/job.ts',
    'bulk-update/options.ts',
    // Paths of issues and descriptions of warnings, as a gateway gives them.
    'bulk-update/preview.ts',
    'check-service/check-service.ts',
    'check-service/service-calls.ts',
    'command-line.ts',
    'config-check.ts',
    'commands.ts',
    'dev-jwt.ts',
    'load-config.ts',
    'knowledge-base/open-store.ts',
    'knowledge-base/service-source.ts',
    'serve-mcp.ts',
    'new-files.ts',
    'welcome.ts',
  ],
});
