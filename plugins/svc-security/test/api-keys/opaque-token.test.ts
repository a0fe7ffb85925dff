/** The form of API keys against published vectors, which an independent CRC32 made. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { isApiKey, isApiKeyShaped, newApiKey, withChecksum } from '../../src/api-keys/opaque-token.ts'

interface Vectors {
  readonly vectors: readonly { title: string; prefix: string; random: string; key: string }[]
  readonly refused: { prefix: string; keys: readonly { title: string; key: string }[] }
}

const published = new URL('../../../../../test/vectors/api-key.json', import.meta.url)
const { vectors, refused } = JSON.parse(readFileSync(published, 'utf8')) as Vectors

t.test('published vectors', async (t) => {
  for (const { title, prefix, random, key } of vectors) {
    t.equal(withChecksum(`${prefix}_${random}`), key, title)
    t.equal(isApiKey(key, prefix), true, title)
  }
})

t.test('published refusals', async (t) => {
  for (const { title, key } of refused.keys) t.equal(isApiKey(key, refused.prefix), false, title)
})

t.test('a new key has the form, and is new', async (t) => {
  const keys = new Set(Array.from({ length: 500 }, () => newApiKey('svc')))
  t.equal(keys.size, 500)
  for (const key of keys) if (!isApiKey(key, 'svc') || !/^svc_[0-9A-Za-z]{36}$/.test(key)) t.fail(key)
})

t.test('the random part is even: no character is favoured', async (t) => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 4000; round += 1) {
    for (const char of newApiKey('svc').slice(4, 34)) counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  const expected = (4000 * 30) / 62
  t.equal(counts.size, 62)
  // Eight standard deviations: chance alone fails this once in 10^13 runs.
  for (const [char, count] of counts) t.ok(Math.abs(count - expected) < 8 * Math.sqrt(expected), `${char}: ${count}`)
})

t.test('the shape that is claimed', async (t) => {
  const rows: [text: string, claimed: boolean][] = [
    ['svc_abc', true],
    ['svc_', true],
    ['SVC_abc', false],
    ['svc-abc', false],
    ['svcabc', false],
    ['svc_a.b.c', false],
    ['xsvc_abc', false],
    ['', false]
  ]
  for (const [text, claimed] of rows) t.equal(isApiKeyShaped(text, 'svc'), claimed, text)
})

t.test('every single character matters', async (t) => {
  const key = newApiKey('svc')
  for (let index = 0; index < key.length; index += 1) {
    for (const other of ['0', 'z', '_', '.', ' ', '\0', 'é']) {
      if (other === key[index]) continue
      const mutant = key.slice(0, index) + other + key.slice(index + 1)
      if (isApiKey(mutant, 'svc')) t.fail(`${mutant} passes for ${key}`)
    }
  }
  t.equal(isApiKey(key, 'svc'), true)
})
