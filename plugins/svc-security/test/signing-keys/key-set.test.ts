/** Which key signs, which vouches, and what is published, over time. */
import t from 'tap'
import { KeySet, LONGEST_ACCESS_MS, rotateKeys, TAKE_OVER_MS } from '../../src/signing-keys/key-set.ts'
import { newStoredKey, openKey, type StoredKey } from '../../src/signing-keys/signing-key.ts'

const GRACE = 900_000

function named(kid: string, activeFrom: number, signs = true): StoredKey {
  const { d, ...rest } = newStoredKey(activeFrom)
  return { ...rest, kid, ...(signs ? { d } : {}) }
}

function setOf(...keys: StoredKey[]): KeySet {
  return new KeySet(keys.map(openKey))
}

t.test('the latest active key signs; of equals the first listed', async (t) => {
  const rows: [title: string, set: KeySet, now: number, kid: string][] = [
    ['one key', setOf(named('a', 0)), 0, 'a'],
    ['the later of two', setOf(named('a', 0), named('b', 10)), 10, 'b'],
    ['not yet', setOf(named('a', 0), named('b', 10)), 9, 'a'],
    ['in any order', setOf(named('b', 10), named('a', 0)), 10, 'b'],
    ['a public one never', setOf(named('a', 0), named('b', 10, false)), 10, 'a'],
    ['the first of equals', setOf(named('a', 0), named('b', 0)), 5, 'a'],
    ['none is active yet: the one that is next', setOf(named('a', 20), named('b', 10)), 0, 'b']
  ]
  for (const [title, set, now, kid] of rows) t.equal(set.signingKey(now).kid, kid, title)
})

t.test('a retired key vouches for what it signed, until the last of it is over', async (t) => {
  const set = setOf(named('a', 0), named('b', 100))
  const rows: [kid: string, issuedAt: number, now: number, vouches: boolean][] = [
    ['a', 50, 60, true],
    ['a', 100, 150, true],
    ['a', 101, 150, false],
    ['a', 50, 100 + GRACE - 1, true],
    ['a', 50, 100 + GRACE, false],
    ['b', 150, 100 + GRACE * 9, true],
    ['b', 50, 60, true]
  ]
  for (const [kid, issuedAt, now, vouches] of rows) {
    t.equal(set.vouches(kid, issuedAt, now, GRACE), vouches, `${kid} ${issuedAt} ${now}`)
  }
})

t.test('published are the keys that vouch now or later, without private parts', async (t) => {
  const set = setOf(named('c', 1000), named('b', 100), named('a', 0))
  const kids = (now: number) => set.jwks(now, GRACE).keys.map(({ kid }) => kid)
  t.same(kids(0), ['c', 'b', 'a'])
  t.same(kids(100 + GRACE), ['c', 'b'])
  t.same(kids(1000 + GRACE), ['c'])
  for (const key of set.jwks(0, GRACE).keys) t.same(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
})

t.test('a rotation', async (t) => {
  const start = 1_800_000_000_000
  const first = rotateKeys([newStoredKey(start)], start + 1000)
  t.equal(first.length, 2)
  const [next, before] = first as [StoredKey, StoredKey]
  t.equal(next.activeFrom, start + 1000 + TAKE_OVER_MS)
  t.type(before.d, 'string', 'the key before still signs until the next one does')

  const second = rotateKeys(first, next.activeFrom + 5000)
  t.equal(second.length, 3)
  t.type(second[1]?.d, 'string')
  t.equal(second[2]?.kid, before.kid)
  t.equal(second[2]?.d, undefined, 'a key that signs no more loses its private part')

  const third = rotateKeys(second, next.activeFrom + LONGEST_ACCESS_MS)
  t.same(
    third.map(({ kid }) => kid).slice(1),
    second.slice(0, 2).map(({ kid }) => kid),
    'a key whose tokens are all over goes'
  )
  const hasty = rotateKeys(rotateKeys([newStoredKey(start)], start), start + 1)
  t.equal(setOf(...hasty).signingKey(start + 1).activeFrom, start, 'two in a row leave a key that signs')
})
