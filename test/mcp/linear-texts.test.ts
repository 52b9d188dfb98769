import { describeTextReaders } from '../support/linear-texts.ts';

describeTextReaders('mcp', { functions: {}, withoutLongTexts: [] });
