import { useState } from 'react';
import { needsUser, readSince } from '../../../src/core/plans/apply.ts';
import { type ApplyOptions, type KeptEntry, keptText } from '../../../src/core/plans/apply-run.ts';
import type { Since } from '../../../src/core/plans/apply-texts.ts';
import { costOf, costText, countsText, itemCounts } from '../../../src/core/plans/plan-summary.ts';
import { save } from '../articles/csv-buttons.tsx';
import { AccountChoice } from '../changes/published-choice.tsx';
import { counted } from '../counted.ts';
import { usePageEvent } from '../page-event.ts';
import { Button, Pane, Problem } from '../parts.tsx';
import { useLast, useShared } from '../shared.ts';
import { type OpenPlan, openPlan } from './open-plan.ts';
import { createPlanGateway } from './plan-gateway.ts';
import { PlanItems } from './plan-items.tsx';
import { useApply } from './use-apply.ts';

const NOTHING_KNOWN: ReadonlyMap<string, Since> = new Map();

type OnApply = (isApplied: boolean) => void;

/** Opens a plan of the command line, shows what it does, and applies it. `onApply` is called with true while that is under way. */
export function Plans({ onApply }: { onApply: OnApply }) {
  const { api, reload } = useShared();
  const [opened, setOpened] = useState<OpenPlan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [status, setStatus] = useState('');
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    setOpened(null);
    setProblem(null);
    setStatus(`Reading ${file.name}…`);
    const gateway = createPlanGateway(api, { onWait: setStatus });
    const read = await openPlan(gateway, file).catch(({ message }: Error) => ({ ok: false, error: message }) as const);
    setStatus('');
    if (read.ok) setOpened(read.value);
    else setProblem(read.error);
  };
  const [isApplied, setIsApplied] = useState(false);
  // The browser would open a file that is dropped anywhere instead of the page.
  usePageEvent('dragover', (event) => event.preventDefault());
  usePageEvent('drop', (event) => {
    event.preventDefault();
    if (!isApplied) void open(event.dataTransfer?.files[0]);
  });
  const change = (isNow: boolean) => {
    setIsApplied(isNow);
    onApply(isNow);
    if (!isNow) reload();
  };
  return (
    <Pane title="Plans">
      <div className="bar wide">
        <label className="boxed">
          Drop the file of a plan here, or
          <span className="button">
            choose it
            <input
              className="unseen"
              type="file"
              disabled={isApplied}
              onChange={({ target }) => {
                void open(target.files?.[0]);
                // This allows choosing the same file again.
                target.value = '';
              }}
            />
          </span>
          <code>kb-gateway plan FOLDER --out FILE</code> makes one.
        </label>
        <span role="status">{status}</span>
      </div>
      <Problem text={problem} />
      {opened && <Plan key={opened.plan.header.planId + opened.name} opened={opened} onApply={change} />}
    </Pane>
  );
}

function Plan({ opened, onApply }: { opened: OpenPlan; onApply: OnApply }) {
  const { name, plan, stored } = opened;
  const { header, items } = plan;
  const [userId, setUserId] = useState(header.userId ?? '');
  const apply = useApply(opened);
  const since = useLast(header.planId, () => sinceOf(apply.options)).value ?? NOTHING_KNOWN;
  const changed = [...since.values()].filter((one) => one === 'changed' || one === 'not there').length;
  const listed = new Map([...stored].map(([language, articles]) => [language, articles.size]));
  const start = async () => {
    onApply(true);
    await apply.start(userId);
    onApply(false);
  };
  return (
    <>
      <div className="counts">
        <p>
          <strong>{name}</strong>: the folder {header.folder} for {header.target.projectVersionName}.{' '}
          {countsText(itemCounts(items))} {costText(costOf(items, listed, header.target.languages[0]))}
        </p>
        {changed > 0 && (
          <p className="doubt">{counted(changed, 'article')} changed since the plan: what has is left as it is.</p>
        )}
      </div>
      <div className="bar">
        {needsUser(plan) && <AccountChoice label="In the name of" userId={userId} onChange={setUserId} />}
        <Button className="primary" disabled={apply.isRunning || (needsUser(plan) && userId === '')} onClick={start}>
          {apply.outcomes.size > 0 ? 'Apply again' : 'Apply the plan'}
        </Button>
        {apply.isRunning && <Button onClick={apply.stop}>Stop</Button>}
        <span role="status">{apply.status}</span>
        <Problem text={apply.problem} />
        {apply.kept.size > 0 && !apply.isRunning && <LockLines kept={[...apply.kept.values()]} />}
      </div>
      <PlanItems opened={opened} apply={apply} since={since} />
    </>
  );
}

/** What the page can't write: the file of the folder that says which file is which article. */
const LockLines = ({ kept }: { kept: readonly KeptEntry[] }) => (
  <p className="hint">
    The folder’s <code>kb-gateway.lock.json</code> is not written here: the next plan finds the articles by category and
    title, or by these lines, if you add them at the end of that file.{' '}
    <Button onClick={() => save('kb-gateway.lock.json', [keptText(kept)], 'application/json')}>
      Save {counted(kept.length, 'line')}
    </Button>
  </p>
);

/** What became of each article since the plan, where it is not as the plan found it. */
async function sinceOf(options: ApplyOptions): Promise<ReadonlyMap<string, Since>> {
  const found = new Map<string, Since>();
  try {
    for await (const [path, became] of readSince(options)) if (became !== 'as found') found.set(path, became);
  } catch {
    // What can't be read now is compared when the plan is applied.
    return NOTHING_KNOWN;
  }
  return found;
}
