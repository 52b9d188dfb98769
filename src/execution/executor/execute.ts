import { type ExecutionResult, GraphQLError, locatedError } from 'graphql';
import type { FieldPlan } from './collect-fields.ts';
import { Data, ROOT, runField, runFields } from './execute-fields.ts';
import { type OperationPlan, Run, type RunOptions } from './execution-context.ts';
import { isPromise } from './promises.ts';

/**
 * Executes an operation whose variables are coerced. Never throws or rejects: what fails stands in the result. A query
 * whose budget is used up has no data, only that error; of a mutation, the root fields that ended before have theirs.
 */
export function executePlan(plan: OperationPlan, options: RunOptions): ExecutionResult | Promise<ExecutionResult> {
  const run = new Run(plan, options);
  const { budget } = run;
  const { all } = run.errors;
  const resultOf = (data: Data | null): ExecutionResult => (all.length === 0 ? { data } : { errors: all, data });
  const failed = (error: unknown): ExecutionResult => {
    if (budget.exceeded && error === budget.exceeded) return { errors: [refusalOf(budget.exceeded)] };
    // What reaches the root has its place already.
    run.errors.addAtRoot(locatedError(error, undefined));
    return resultOf(null);
  };
  try {
    const fields = plan.root.fieldsOf(plan.rootType);
    const data = plan.operation.operation === 'mutation' ? runSerially(run, fields) : runFields(run, fields, ROOT);
    return isPromise(data) ? data.then(resultOf, failed) : resultOf(data);
  } catch (error) {
    return failed(error);
  }
}

/** There is no data, so it is answered like a query that is refused: 400, or 200 where the client reads `application/json` only. */
const refusalOf = ({ message, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { extensions: { ...extensions, http: { spec: true, status: 400 } } });

/**
 * The fields of a mutation, one after another. Where the budget ends one, those before it keep their data, and those behind
 * it do not begin.
 */
function runSerially(run: Run, fields: readonly FieldPlan[]): Data | Promise<Data> {
  const { budget, turns } = run;
  budget.chargeFields(fields.length);
  const next = (data: Data, field: FieldPlan): Data | Promise<Data> => {
    const filled = (value: unknown): Data => {
      data[field.key] = value;
      return data;
    };
    const { writes } = run.context;
    const ended = (error: unknown): Data => {
      const { exceeded } = budget;
      if (exceeded === null || error !== exceeded) throw error;
      run.errors.endField(field, { exceeded, mayHaveApplied: run.context.writes > writes });
      return filled(null);
    };
    if (budget.exceeded) return ended(budget.exceeded);
    try {
      const value = runField(run, field, ROOT);
      return isPromise(value) ? value.then(filled, ended) : filled(value);
    } catch (error) {
      return ended(error);
    }
  };
  const nextInTurn = (data: Data, field: FieldPlan): Data | Promise<Data> =>
    turns.isDue ? turns.yielded().then(() => next(data, field)) : next(data, field);
  return fields.reduce<Data | Promise<Data>>(
    (before, field) => (isPromise(before) ? before.then((data) => nextInTurn(data, field)) : nextInTurn(before, field)),
    new Data(),
  );
}
