import type { AbuseRequest } from '../measure/request.ts';
import type { TargetName } from '../targets/targets.ts';
import { type BodyGenome, createBody, labelOfBody, mutateBody, requestOfBody } from './bodies.ts';
import type { FieldGene, SchemaContext } from './fields.ts';
import { createOperation, mutateOperation, type OperationGenome, requestOfOperation } from './operations.ts';
import { chance } from './random.ts';
import { createRestCall, mutateRestCall, type RestGenome, requestOfRestCall } from './rest-calls.ts';

/** A compact description of a request, from which others are derived. */
export type Genome = OperationGenome | BodyGenome | RestGenome;

export function createGenome(context: SchemaContext, target: TargetName): Genome {
  if (chance(context.random, 0.15)) return createBody(context);
  return target !== 'service' && chance(context.random, 0.15) ? createRestCall(context) : createOperation(context);
}

export function mutateGenome(context: SchemaContext, genome: Genome): Genome {
  switch (genome.kind) {
    case 'operation':
      return mutateOperation(context, genome);
    case 'body':
      return mutateBody(context, genome);
    case 'rest':
      return mutateRestCall(context, genome);
  }
}

/** The request itself. Its document contains the name, so that it is not in the document cache. */
export function requestOf(genome: Genome, name: string): AbuseRequest {
  switch (genome.kind) {
    case 'operation':
      return requestOfOperation(genome, name);
    case 'body':
      return requestOfBody(genome, name);
    case 'rest':
      return requestOfRestCall(genome);
  }
}

/** A short description: requests with the same label are of one kind, and only the worst of a kind is kept. */
export function labelOf(genome: Genome): string {
  const [first = ''] = labelsOf(genome);
  if (genome.kind !== 'operation') return first;
  const [heaviest] = [...genome.fields].sort((one, other) => weightOf(other) - weightOf(one));
  return heaviest ? `${genome.operation} ${pathOf(heaviest)}` : first;
}

/** The number of occurrences of the field in the document, with its selection. */
const weightOf = ({ copies, repeats, subfields }: FieldGene): number =>
  (copies + repeats) * subfields.reduce((sum, field) => sum + weightOf(field), 1);

/** One label for each root field. */
export function labelsOf(genome: Genome): readonly string[] {
  switch (genome.kind) {
    case 'operation':
      return pathsOf(genome.fields).map((path) => `${genome.operation} ${path}`);
    case 'body':
      return [`body ${labelOfBody(genome)}`];
    case 'rest':
      return [`${genome.method} ${genome.path.split(/[?%]/u)[0]?.split('/').slice(0, 5).join('/').slice(0, 60)}`];
  }
}

const pathsOf = (fields: readonly FieldGene[]): readonly string[] => [...new Set(fields.map(pathOf))].sort();

const pathOf = ({ name, subfields: [first] }: FieldGene): string => (first ? `${name}.${first.name}` : name);
