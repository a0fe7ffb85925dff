/** Identifiers: form, entropy, no repeats. */
import t from 'tap'
import { randomId } from '../../src/plugin/random-id.ts'

t.test('prefix and base64url of the bytes asked for', async (t) => {
  t.match(randomId('wh'), /^wh_[A-Za-z0-9_-]{22}$/)
  t.match(randomId('msg', 32), /^msg_[A-Za-z0-9_-]{43}$/)
})

t.test('10000 of them differ', async (t) => {
  t.equal(new Set(Array.from({ length: 10_000 }, () => randomId('x'))).size, 10_000)
})
