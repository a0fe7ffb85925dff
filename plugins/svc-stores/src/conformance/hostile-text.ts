/** Texts that break stores which build queries, patterns or keys of them. */
import type { JsonObject } from '../records/record-values.ts'

/** Each must be kept and found as it is, and must find nothing but itself. */
export const STRANGE_TEXTS: readonly string[] = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '$where',
  'a.b.c',
  `'; DROP TABLE users; --`,
  '" OR ""="',
  '100%',
  'under_score',
  '^a.*[b](c)+?$',
  'back\\slash',
  'line\nbreak\ttab\r',
  '\u001b[31mred',
  '\u202egnirts',
  'ÅngströmΩ',
  'e\u0301',
  '\u00e9',
  '👩‍👩‍👧‍👦',
  'null',
  'undefined',
  '0',
  ' padded ',
  'x'.repeat(1000)
]

/** No store keeps these: databases differ on them. */
export const UNSTORABLE_TEXTS: readonly string[] = ['nul\0inside', '\ud800', 'tail \udfff', '🙂'.repeat(513)]

/** What a caller may pass where text belongs; none of it may match, change or remove anything. */
export const NOT_TEXT: readonly unknown[] = [{ $gt: '' }, { $ne: null }, ['a'], null, undefined, 0, true, /./]

/** Free JSON whose keys mean something to a language or a database; a new copy each time. */
export function strangeJson(): JsonObject {
  return JSON.parse(
    '{"__proto__":{"admin":true},"constructor":"x","a.b":1,"$set":{"roles":["ROLE_SVC_ADMIN"]},"":"empty","nul":"\\u0000","list":[1,[2,{"three":null}]],"half":"\\ud800"}'
  ) as JsonObject
}
