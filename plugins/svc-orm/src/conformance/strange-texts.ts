/** Texts that break drivers which build queries, patterns or names of them. */
import { STRANGE_TEXTS as OF_STORES } from 'svc-stores/conformance'

/** Each must be kept and found as it is, and must find nothing but itself. */
export const STRANGE_TEXTS: readonly string[] = [
  ...OF_STORES,
  '',
  ' ',
  '"; drop table thing; --',
  "'; DROP TABLE thing; --",
  "' OR '1'='1",
  '$gt',
  '{"$gt":""}',
  '$1',
  '?',
  ':name',
  'trailing\\',
  'ß',
  'SS',
  'İ',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}',
  'NaN'
]

/** No database of ours keeps these the same: all refuse them. */
export const UNSTORABLE_TEXTS: readonly string[] = ['nul\0inside', '\ud800', 'tail \udfff', '\udfff\ud800']

/** Names that no entity has, each an attempt to reach something else. */
export const STRANGE_NAMES: readonly string[] = [
  'nope',
  '',
  '$where',
  '$nor',
  '$expr',
  '__proto__',
  'constructor',
  'toString',
  'label.length',
  'tags.secret',
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
