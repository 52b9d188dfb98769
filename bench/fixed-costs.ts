import { measure, openSetup, runLoad } from './harness/setup.ts';
import { median } from './harness/statistics.ts';
import { withResource } from './harness/with-resource.ts';
import { OURS_FROM_SOURCES } from './targets.ts';
import { WORKLOADS } from './workloads.ts';

/*
 * `npm run bench:costs` measures what each step costs a request of W1, by leaving it out: the gateway takes what the
 * first request gave, or nothing. One process is switched between the ways several times in a second, since two equal
 * processes differ by more than most steps cost. `nothing` tells what chance makes of the same.
 */

const KEPT_TEXT =
  'text.length > 2000 ? JSON.parse(text) : ((globalThis.texts ??= new Map()).getOrInsertComputed(text, JSON.parse))';

/** Of each step: the end of the path of a module, an expression in it, and what stands in its place without the step. */
const STEPS: Readonly<Record<string, readonly (readonly [file: string, text: string, replacement: string])[]>> = {
  nothing: [],
  'wait for the turn of a request': [['server/http/door.ts', 'admission.enter()', 'null']],
  'scan of bodies': [['core/base/json.ts', 'countJsonValues(text, bounds)', 'ok(0)']],
  "parse of the request's body": [['core/base/json.ts', 'JSON.parse(text)', KEPT_TEXT]],
  'find the document': [
    ['documents/documents.ts', 'validDocuments.get(key)', '(globalThis.known ??= validDocuments.get(key))'],
    ['documents/documents.ts', 'known?.loc?.source.body === text', 'known'],
  ],
  plan: [['executor/execute.ts', 'operations.get(operation)', '(globalThis.prepared ??= operations.get(operation))']],
  'cost limits': [['graphql/execution/execution.ts', 'backend.authenticate(caller).ok', 'false']],
  coerce: [
    ['executor/execute.ts', 'prepared.coerceVariableValues(given ?? {})', '{ coerced: given ?? {}, errors: [] }'],
  ],
  'encode the answer': [
    ['graphql/graphql-handler.ts', 'JSON.stringify(result)', '(globalThis.answer ??= JSON.stringify(result))'],
  ],
  log: [
    [
      'server/http/request-end.ts',
      "log(isProbe && end.status === 200 ? 'debug' : 'info', 'request', fieldsOf(end))",
      'undefined',
    ],
  ],
  'metrics of the request': [
    [
      'server/http/request-end.ts',
      'metrics.recordRequest({ method, route: path, status, durationMs, trustedOperation })',
      'undefined',
    ],
  ],
};

/** Runs in the gateway: each step becomes a choice, and a message chooses. */
const PRELOAD = `
import { registerHooks } from 'node:module';
const choices = ${JSON.stringify(Object.entries(STEPS).flatMap(([name, texts]) => texts.map((text) => [name, ...text])))};
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const found = choices.filter(([, file]) => url.endsWith('/src/' + file));
    if (found.length === 0) return loaded;
    let source = loaded.source.toString();
    for (const [name, file, text, replacement] of found) {
      if (!source.includes(text)) throw new Error(file + ' has not the text ' + text);
      source = source.replace(text, () => '(globalThis.without === ' + JSON.stringify(name) + ' ? (' + replacement + ') : (' + text + '))');
    }
    return { ...loaded, source };
  },
});
process.on('message', ({ without }) => {
  if (without !== undefined) globalThis.without = without;
});
`;

const SAMPLE_MS = 250;
const ROUNDS = Number(process.env['ROUNDS'] ?? 40);

const target = {
  ...OURS_FROM_SOURCES,
  args: (port: number) => [
    ...['--import', `data:text/javascript,${encodeURIComponent(PRELOAD)}`],
    ...OURS_FROM_SOURCES.args(port),
  ],
};
const workload = WORKLOADS.W1;
await withResource(openSetup({ ...workload, targets: [target] }), async (setup) => {
  const [gateway] = setup.processes;
  if (gateway === undefined) throw new Error('The gateway was not started.');

  const costWithout = async (name: string): Promise<number> => {
    gateway.child.send({ without: name });
    const { cpuMicros, requests } = await measure(setup.load, gateway, { ...workload, milliseconds: SAMPLE_MS });
    return cpuMicros / requests;
  };

  await runLoad(setup.load, gateway, { ...workload, milliseconds: 15_000 });
  // V8 compiles both ways of each choice before anything is measured.
  for (let round = 0; round < 3; round += 1) for (const name in STEPS) await costWithout(name);
  const saved = new Map<string, number[]>(Object.keys(STEPS).map((name) => [name, []]));
  const wholes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, shares] of saved) {
      const [before, without, after] = [await costWithout(''), await costWithout(name), await costWithout('')];
      wholes.push(before, after);
      shares.push(1 - (2 * without) / (before + after));
    }
  }
  console.log(
    `A request takes ${median(wholes).toFixed(1)} µs. Of that, in the median of ${ROUNDS} rounds and with its standard error:`,
  );
  for (const [name, shares] of saved) {
    const middle = median(shares);
    const deviation = 1.4826 * median(shares.map((share) => Math.abs(share - middle)));
    const error = (1.2533 * deviation) / Math.sqrt(shares.length);
    console.log(`| ${name} | ${(100 * middle).toFixed(1)} | ${(100 * error).toFixed(1)} |`);
  }
});
