/** Patterns of `$like`: anchored, case-sensitive, by code point; nothing else in them means anything. */
import assert from 'node:assert/strict'
import { type Cases, column, refused } from './conformance-suite.ts'
import { STRANGE_TEXTS } from './strange-texts.ts'

const TABLE: readonly (readonly [pattern: string, matches: readonly string[], misses: readonly string[]])[] = [
  ['abc', ['abc'], ['ABC', 'abcd', 'xabc', 'ab', '']],
  ['', [''], ['a', ' ']],
  ['%', ['', 'a', 'line\nbreak'], []],
  ['a%', ['a', 'abc', 'a\nb'], ['ba', 'A', '']],
  ['%a', ['a', 'bca'], ['ab', 'bcaA']],
  ['%b%', ['b', 'abc', '\nb\n'], ['ac', 'B']],
  ['a%c', ['ac', 'abc', 'abcbc'], ['acb', 'c']],
  ['%%', ['', 'a'], []],
  ['_', ['a', '%', '👩', '\n'], ['', 'ab']],
  ['__', ['ab', '👩👩'], ['a', '👩', 'abc']],
  ['_%', ['a', 'ab'], ['']],
  ['a_c', ['abc', 'a%c', 'a👩c'], ['ac', 'abbc']],
  ['100\\%', ['100%'], ['100', '1000', '100\\%']],
  ['a\\_c', ['a_c'], ['abc', 'a\\_c']],
  ['a\\\\c', ['a\\c'], ['a\\\\c', 'ac']],
  ['\\a\\b', ['ab'], ['\\a\\b']],
  ['%\\%', ['%', 'a%'], ['a', '%a']],
  ['^a.*$', ['^a.*$'], ['a', 'abc']],
  ['[ab]', ['[ab]'], ['a', 'b']],
  ['a?', ['a?'], ['a', 'ab']],
  ['a*', ['a*'], ['a', 'aa']],
  ['(a|b)', ['(a|b)'], ['a', 'b']],
  ["%' OR '1'='1", ["x' OR '1'='1"], ['x']],
  ['é', ['é'], ['e', 'e\u0301', 'É']],
  ['%a%a%a%a%a%b', ['aaaaaab'], ['a'.repeat(200)]]
]

export const likeCases: Cases = {
  'each pattern matches what it says': async ({ things }) => {
    for (const [pattern, matches, misses] of TABLE) {
      await things.createMany([...matches, ...misses].map((label) => ({ label })))
      await things.create({ label: null })
      const found = await things.find({ label: { $like: pattern } })
      assert.deepEqual(column(found, 'label'), matches, pattern)
      await things.delete({})
    }
  },
  'an escaped text matches itself only': async ({ things }) => {
    await things.createMany(STRANGE_TEXTS.map((label) => ({ label })))
    for (const label of STRANGE_TEXTS.filter(({ length }) => length < 1000)) {
      const $like = label.replace(/[\\%_]/g, '\\$&')
      assert.deepEqual(column(await things.find({ label: { $like } }), 'label'), [label], $like)
    }
  },
  'a lone escape at the end, and what is no pattern, are refused': async ({ things }) => {
    for (const $like of ['a\\', '\\', 'a\\\\\\', null, 5, {}, ['a'], 'nul\0', '\ud800', undefined]) {
      await refused(() => things.find({ label: { $like } }), 'SVC_ORM_CRITERIA', 400)
    }
  }
}
