import type { FieldPlan } from './collect-fields.ts';
import { FieldCall, type Run } from './execution-context.ts';
import type { Path } from './field-errors.ts';
import { isPromise, UNHEARD } from './promises.ts';

/** The object whose fields are run. */
export interface Parent {
  readonly source: unknown;
  readonly path: Path | undefined;
}

export const ROOT: Parent = { source: undefined, path: undefined };

/**
 * The fields of an object, of any names: nothing is inherited that one of them could hit. V8 keeps what `Object.create(null)`
 * gives as a dictionary, which takes longer to make and to write.
 */
export class Data {
  [key: string]: unknown;
}
Object.setPrototypeOf(Data.prototype, null);

/** The fields of one object, side by side. A promise where one of them is. */
export function runFields(run: Run, fields: readonly FieldPlan[], parent: Parent): Data | Promise<Data> {
  run.budget.chargeFields(fields.length);
  if (run.turns.isDue) return run.turns.yielded().then(() => runFieldsNow(run, fields, parent));
  return runFieldsNow(run, fields, parent);
}

function runFieldsNow(run: Run, fields: readonly FieldPlan[], parent: Parent): Data | Promise<Data> {
  run.turns.charge(fields.length);
  const data = new Data();
  let isPending = false;
  try {
    for (const field of fields) {
      const value = runField(run, field, parent);
      isPending ||= isPromise(value);
      data[field.key] = value;
    }
  } catch (error) {
    if (!isPending) throw error;
    const ended = settled(data);
    if (run.budget.exceeded) {
      ended.catch(UNHEARD);
      throw error;
    }
    // What is pending may fail too, and is waited for so that it does not fail unheard.
    return ended.finally(() => {
      throw error;
    });
  }
  return isPending ? settled(data) : data;
}

async function settled(data: Data): Promise<Data> {
  const keys = Object.keys(data);
  const values = await Promise.all(Object.values(data));
  for (const [index, key] of keys.entries()) data[key] = values[index];
  return data;
}

export function runField(run: Run, field: FieldPlan, { source, path }: Parent): unknown {
  if (field.constant !== undefined) return field.constant;
  const place = { prev: path, key: field.key, typename: field.parentType.name };
  const call = new FieldCall(run, field, place);
  let value: unknown;
  try {
    const args = field.argumentsOf(run.variables);
    if (field.hasArguments) run.budget.chargeInput(args);
    value = field.resolve(source, args, run.context, call);
  } catch (error) {
    return field.fail(call, place, error);
  }
  return field.complete(call, place, value);
}
