import { useMemo, useRef, useState } from 'react';
import { applyPlan, readStored } from '../../../src/core/plans/apply.ts';
import type { ApplyOptions, KeptEntry, Outcome } from '../../../src/core/plans/apply-run.ts';
import type { Api } from '../api.ts';
import { counted } from '../counted.ts';
import { useShared } from '../shared.ts';
import { type OpenPlan, sha256 } from './open-plan.ts';
import { createPlanGateway } from './plan-gateway.ts';

interface PlanOutcome {
  readonly outcome: Outcome;
  readonly reason: string | undefined;
  /** The outcome of its text, where this is that of its publication. */
  readonly before: Outcome | undefined;
}

/** By path, as soon as they are known. */
type Outcomes = ReadonlyMap<string, PlanOutcome>;

interface Shown {
  readonly outcomes: Outcomes;
  /** What files and folders have become, by their paths. */
  readonly kept: ReadonlyMap<string, KeptEntry>;
  readonly status: string;
  readonly problem: string | null;
  readonly isRunning: boolean;
}

const NOTHING: Shown = { outcomes: new Map(), kept: new Map(), status: '', problem: null, isRunning: false };

/** Applies a plan, as often as wanted: what is done is not done again. */
export function useApply({ plan, stored }: OpenPlan) {
  const { api } = useShared();
  const [shown, setShown] = useState(NOTHING);
  const isStopped = useRef(false);
  const options = useMemo(() => optionsOf(api, { plan, stored }), [api, plan, stored]);
  const show = (change: Partial<Shown>) => setShown((current) => ({ ...current, ...change }));
  const start = async (userId: string) => {
    const outcomes = new Map<string, PlanOutcome>();
    const kept = new Map(shown.kept);
    const showAll = () =>
      show({ outcomes: new Map(outcomes), kept: new Map(kept), status: `${counted(outcomes.size, 'file')} done…` });
    const onRequest = () => {
      showAll();
      if (isStopped.current) throw new Error('stopped.');
    };
    const gateway = createPlanGateway(api, { onRequest, onWait: (reason) => show({ status: `Waiting: ${reason}` }) });
    isStopped.current = false;
    show({ isRunning: true, problem: null });
    const ended = await apply({
      ...options,
      userId,
      gateway,
      locked: new Map([...kept.values()].map(({ path, id }) => [path, id])),
      onOutcome: (path, outcome, reason) =>
        outcomes.set(path, { outcome, reason, before: outcomes.get(path)?.outcome }),
      keep: (entries) => {
        for (const entry of entries) kept.set(entry.path, entry);
      },
    });
    showAll();
    show({ isRunning: false, problem: ended, status: ended === null ? totalsText(outcomes) : '' });
  };
  return { ...shown, options, start, stop: () => (isStopped.current = true) };
}

export type Apply = ReturnType<typeof useApply>;

/** Returns the problem that has ended it; null where it came to its end. */
async function apply(options: ApplyOptions): Promise<string | null> {
  try {
    await applyPlan({ ...options, stored: await readStored(options.gateway, options.plan) });
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${error.message} “Apply again” goes on.`;
  }
}

function optionsOf(api: Api, { plan, stored }: Pick<OpenPlan, 'plan' | 'stored'>): ApplyOptions {
  const begun = new Map<string, readonly string[]>();
  return {
    plan,
    stored,
    sha256,
    userId: '',
    gateway: createPlanGateway(api),
    locked: new Map(),
    journal: { begun: (part) => begun.get(part) ?? null, begin: (part, paths) => begun.set(part, paths) },
    onOutcome: () => {},
    keep: () => {},
  };
}

function totalsText(outcomes: Outcomes): string {
  const counts = Map.groupBy(outcomes.values(), ({ outcome }) => outcome);
  const totals = [...counts].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
  return totals === '' ? 'There is nothing to do.' : `Applied: ${totals}.`;
}
