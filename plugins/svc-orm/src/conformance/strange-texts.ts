/** Texts that break drivers which build queries, patterns or names of them. */

/** Each must be kept and found as it is, and must find nothing but itself. */
export const STRANGE_TEXTS: readonly string[] = [
  '',
  ' ',
  '"; drop table thing; --',
  "'; DROP TABLE thing; --",
  "' OR '1'='1",
  '" OR ""="',
  '$where',
  '$gt',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  'a.b.c',
  '$1',
  '?',
  ':name',
  '100%',
  'under_score',
  '^a.*[b](c)+?$',
  'back\\slash',
  'trailing\\',
  'line\nbreak\ttab\r',
  '\u001b[31mred',
  '\u202egnirts',
  'ÅngströmΩ',
  'e\u0301',
  '\u00e9',
  'ß',
  'SS',
  'İ',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}',
  '👩‍👩‍👧‍👦',
  'null',
  'undefined',
  'NaN',
  '0',
  ' padded ',
  'x'.repeat(1000)
]

/** No database of ours keeps these the same: all refuse them. */
export const UNSTORABLE_TEXTS: readonly string[] = ['nul\0inside', '\ud800', 'tail \udfff', '\udfff\ud800']

/** Names that no entity has, each an attempt to reach something else. */
export const STRANGE_NAMES: readonly string[] = [
  'nope',
  '',
  '$where',
  '$or',
  '$expr',
  '__proto__',
  'constructor',
  'toString',
  'label.length',
  'data.secret',
  'label"; drop table thing; --',
  "label' OR '1'='1",
  'label`',
  'LABEL',
  'label ',
  '_id',
  '*',
  '1',
  'rowid',
  'ctid'
]
