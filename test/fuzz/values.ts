import fc from 'fast-check';

/** A value of an unexpected kind, with its name in a finding. */
export interface BadValue {
  readonly name: string;
  readonly value: unknown;
}

const MEGABYTE = 1_000_000;

const TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  blank: ' ',
  'white space': '\t\r\n \u00a0\u2003\u3000',
  NUL: 'a\0b',
  'only NUL': '\0',
  'high surrogate': 'a\ud83d',
  'low surrogate': '\ude00b',
  'pair the wrong way round': '\ude00\ud83d',
  'control characters': Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join(''),
  'C1 control characters': '\u007f\u0080\u0085\u009f',
  'line separators': 'a\u2028b\u2029c',
  'byte order mark': '\ufeffa',
  noncharacters: '\ufffe\uffff\u{10ffff}',
  'replacement character': '\ufffd',
  'emoji of several characters': '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'right to left': 'مرحبا \u202eabc\u202c שלום',
  'decomposed and composed': 'e\u0301 é',
  'heaped marks': `Z${'\u0301\u0323'.repeat(200)}`,
  'SQL that ends a text': "'; drop table articles; --",
  'SQL that is true': '" or 1=1 --',
  'SQL wildcards': '%_[a-z]*?',
  'HTML with a script': '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'HTML entities': '&lt;&amp;&#0;&quot;',
  'JSON fragment': '"}],"success":true,"x":[{"',
  'GraphQL fragment': '"}) { __typename } #',
  'a template': `\${jndi:ldap://x}{{7*7}}%s%n`,
  'header that is ended': 'a\r\nx-injected: 1\r\n\r\n',
  'prototype name': '__proto__',
  'constructor name': 'constructor',
  dot: '.',
  'two dots': '..',
  'a path upwards': '../../etc/passwd',
  slashes: 'a/b\\c//d',
  'query and fragment': '?a=b&c=d#e',
  'escapes of a URL': '%00%2e%2e%2f%ff%zz+',
  'text null': 'null',
  'text that is a number': '-1e999',
  'a line of 600': 'x'.repeat(600),
  'a line of 20,000': 'y'.repeat(20_000),
  '1 MB': 'z'.repeat(MEGABYTE),
  '1 MB of emoji': '😀'.repeat(MEGABYTE / 4),
  '1 MB of quotes': '"'.repeat(MEGABYTE / 2),
};

const NUMBERS = [
  0,
  1,
  -1,
  2,
  100,
  101,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  1e308,
  0.5,
  -0.5,
];

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

const OTHERS: readonly BadValue[] = [
  { name: 'null', value: null },
  { name: 'true', value: true },
  { name: 'false', value: false },
  { name: 'empty list', value: [] },
  { name: 'empty object', value: {} },
  { name: 'list of null', value: [null] },
  { name: 'lists 50 deep', value: nested(50) },
  { name: 'lists 2,000 deep', value: nested(2_000) },
  { name: 'list of 500 texts', value: Array.from({ length: 500 }, (_, index) => `x${index}`) },
  { name: 'list of 100,000 texts', value: Array.from({ length: 100_000 }, () => 'x') },
  { name: 'list of bad texts', value: ['', 'a\0b', '\ud83d'] },
  { name: 'member __proto__', value: JSON.parse('{"__proto__":{"polluted":true}}') },
  { name: 'member constructor', value: { constructor: { prototype: { polluted: true } } } },
];

/** All values; the same at each position. */
export const BAD_VALUES: readonly BadValue[] = [
  ...Object.entries(TEXTS).map(([name, value]) => ({ name, value })),
  ...NUMBERS.map((value) => ({ name: `${value}`, value })),
  ...OTHERS,
];

/** These values, and random ones. */
export const badValue: fc.Arbitrary<BadValue> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...BAD_VALUES.filter(({ name }) => !/MB|000/u.test(name))) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((value) => ({ name: JSON.stringify(value), value })) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => ({ name: JSON.stringify(value), value })) },
);
