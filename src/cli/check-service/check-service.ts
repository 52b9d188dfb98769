import { toPrintable } from '../../core/base/printable.ts';
import { err, mapOk, ok, type Result } from '../../core/base/result.ts';
import { print, printError } from '../../server/process/terminal.ts';
import { type CommandOptions, EXIT_CODES, type Variables } from '../command-options.ts';
import { createNewFile, type NewFile } from '../knowledge-base/new-file.ts';
import { loadService } from '../load-config.ts';
import { ASSUMPTIONS, type Findings } from './assumptions.ts';
import { checkReads } from './read-part.ts';
import { ServiceCalls } from './service-calls.ts';
import { checkWrites, type WriteChecks, type WriteOptions } from './write-part.ts';

/** Between two reads that wait for a write to show. */
const PAUSE_MS = 1_000;

/** Checks what the gateway takes for granted of the service, and prints a line for each assumption. */
export async function runCheckService(
  { write, category, user, report }: CommandOptions,
  variables: Variables,
  pauseMs = PAUSE_MS,
): Promise<Result<number, string>> {
  const named = [write, category, user].filter(Boolean).length;
  if (named !== 0 && named !== 3)
    return err('--write, --category ID and --user ID go together: a draft is made there, in the name of that user.');
  const calls = openCalls(variables);
  if (!calls.ok) return calls;
  const file = report === undefined ? ok(null) : await createNewFile(report);
  if (!file.ok) return err(`${toPrintable(report ?? '')}: ${file.error}`);
  try {
    const options = category && user ? { categoryId: category, userId: user, pauseMs } : null;
    return await checkWith(calls.value, options, file.value);
  } finally {
    file.value?.discard();
    calls.value.close();
  }
}

async function checkWith(
  calls: ServiceCalls,
  options: WriteOptions | null,
  report: NewFile | null,
): Promise<Result<number, string>> {
  const reads = await checkReads(calls);
  if (!reads.ok) return err(`not checked: ${reads.error}`);
  const writes = options === null ? ok(null) : await checkWrites(calls, options);
  const checks = writes.ok ? writes.value : null;
  const findings = { ...reads.value, ...checks?.findings };
  const isExpected = printFindings(findings, checks);
  if (report !== null) await writeReport(report, findings, calls);
  if (!writes.ok) return err(`the writes were not checked: ${writes.error}`);
  return ok(isExpected && checks?.isPutAway !== false ? EXIT_CODES.done : EXIT_CODES.partly);
}

function openCalls(variables: Variables): Result<ServiceCalls, string> {
  const loaded = loadService(variables, { unset: UNSET });
  return mapOk(loaded, ({ service, apiToken }) => new ServiceCalls(service, apiToken));
}

const UNSET =
  'check-service checks the service of UPSTREAM_URL, which is not set. For the embedded store: serve it, and set UPSTREAM_URL to the URL of that gateway.';

function printFindings(findings: Findings, checks: WriteChecks | null): boolean {
  const seen: Readonly<Record<string, string | undefined>> = findings;
  const lines = Object.entries(ASSUMPTIONS).flatMap(([key, { part, name, expected, otherwise }]) => {
    const code = seen[key];
    if (code === undefined) return part === 'write' && checks === null ? [] : [['not seen', name, '']];
    const meanings: Readonly<Record<string, string>> = otherwise;
    return [code === 'expected' ? ['as expected', name, expected] : ['otherwise', name, meanings[code] ?? code]];
  });
  print(
    `${lines.map(([state = '', name = '', text]) => `${state.padEnd(12)} ${name.padEnd(30)} ${text}`.trimEnd()).join('\n')}\n`,
  );
  if (checks !== null) print(`\n${endOf(checks)}\n`);
  return !lines.some(([state]) => state === 'otherwise');
}

const endOf = ({ articleId, isPutAway }: WriteChecks): string =>
  isPutAway
    ? `The article ${toPrintable(articleId)} is unpublished and hidden. Delete it.`
    : `THE ARTICLE ${toPrintable(articleId)} MAY BE SHOWN: unpublish, hide and delete it.`;

/** Writes shapes and codes alone, so that the report can be shown to others. */
async function writeReport(file: NewFile, findings: Findings, { reported }: ServiceCalls): Promise<void> {
  const text = `${JSON.stringify({ findings, calls: reported }, null, 2)}\n`;
  const written = await file.write(bytesOf(text));
  const published = written.ok ? await file.publish() : written;
  if (!published.ok) printError(`The report was not written: ${published.error}\n`);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
