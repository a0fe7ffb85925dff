/**
 * Patterns of `$like`: anchored, case-sensitive, by code point; nothing else in them means anything. And searches, in which
 * every character stands for itself, in any case.
 */
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

const SEARCHES: readonly (readonly [term: string, holds: readonly string[], misses: readonly string[]])[] = [
  ['ärger', ['ärger', 'ÄRGER', 'kein Ärgernis'], ['arger', 'ärge']],
  ['МОСКВА', ['Москва', 'москва, МОСКВА'], ['Mockba']],
  ['ÉCOLE', ['École', 'l’école'], ['ecole', 'e\u0301cole']],
  ['100%', ['100%', 'to 100% sure'], ['100', '1000']],
  ['A_B', ['a_b', 'xA_By'], ['axb', 'ab']],
  ['a.*', ['A.*'], ['abc', 'a']],
  ['[x]', ['[X]'], ['x']],
  ['\\', ['a\\b', '\\'], ['ab', '/']],
  ["' or", ["' OR 1=1"], ['or']],
  ['👩', ['x👩y', '👩'], ['👨']],
  ['b\nc', ['AB\nCD'], ['b c']],
  ['', ['', 'anything', '\n'], []]
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
  },
  'a search takes every character for itself, in any case of any script': async ({ things }) => {
    for (const [term, holds, misses] of SEARCHES) {
      await things.createMany([...holds, ...misses].map((label) => ({ label })))
      await things.create({ label: null })
      assert.deepEqual(column(await things.find({ label: { $contains: term } }), 'label'), holds, term)
      assert.equal(await things.count({ label: { $contains: `${term}nowhere` } }), 0)
      const begun = column(await things.find({ label: { $startsWith: term } }), 'label')
      const begins = (label: string) => label.toLowerCase().startsWith(term.toLowerCase())
      assert.deepEqual(begun, holds.filter(begins), `${term} at the beginning`)
      await things.delete({})
    }
    await things.createMany(STRANGE_TEXTS.map((label) => ({ label })))
    for (const label of STRANGE_TEXTS.filter(({ length }) => length > 0 && length < 1000)) {
      const found = column(await things.find({ label: { $startsWith: label } }), 'label')
      assert.ok(found.includes(label), label)
    }
  },
  'a search is joined with other criteria, and reads long texts': async ({ things, books, authors }) => {
    await things.create({ label: 'a', body: `${'x'.repeat(100_000)}Needle` })
    await things.create({ label: 'b', body: 'needle' })
    assert.equal(await things.count({ body: { $contains: 'NEEDLE' } }), 2)
    assert.equal(await things.count({ label: 'a', body: { $contains: 'NEEDLE', $ne: 'needle' } }), 1)
    assert.equal(await things.count({ $not: { body: { $startsWith: 'Need' } } }), 1)
    assert.equal(await things.updateMany({ body: { $startsWith: 'NEED' } }, { count: 7 }), 1)
    const author = await authors.create({ name: 'Ursula' })
    await books.create({ title: 'Omelas', authorId: author.id })
    assert.equal(await books.count({ 'author.name': { $contains: 'SUL' }, title: { $startsWith: 'om' } }), 1)
    assert.equal(await things.delete({ body: { $contains: 'xn' } }), 1)
  },
  'what is no text to search for, and fields without text, are refused': async ({ things }) => {
    for (const term of [null, 5, {}, ['a'], 'nul\0', '\ud800', undefined, 'x'.repeat(10_001)]) {
      await refused(() => things.find({ label: { $contains: term } }), 'SVC_ORM_CRITERIA', 400)
      await refused(() => things.find({ label: { $startsWith: term } }), 'SVC_ORM_CRITERIA', 400)
    }
    for (const field of ['count', 'tags', 'data', 'day', 'token', 'state', 'at', 'photo', 'id']) {
      await refused(() => things.find({ [field]: { $contains: 'a' } }), 'SVC_ORM_CRITERIA', 400)
    }
  }
}
