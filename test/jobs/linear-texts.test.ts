import { describeTextReaders } from '../support/linear-texts.ts';

describeTextReaders('jobs', {
  functions: {},
  withoutLongTexts: ['caller-keys.ts', 'state/state-file.ts'],
});
