/** Ids are UUIDs of version 7 that sort as they were made. */

import { UuidIds } from 'svc-stores/table'
import t from 'tap'

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

t.test('ids of one millisecond, and of a clock that steps back, are distinct and in order', async (t) => {
  let now = 1_700_000_000_000
  const ids = new UuidIds({ now: () => now })
  const made = Array.from({ length: 10_000 }, () => ids.generate())
  now -= 5000
  made.push(ids.generate())
  now += 60_000
  made.push(ids.generate())
  t.ok(made.every((id) => V7.test(id)))
  t.equal(new Set(made).size, made.length)
  t.strictSame([...made].sort(), made)
})

t.test('the first 48 bits are the time', async (t) => {
  const id = new UuidIds({ now: () => 0x0123456789ab }).generate()
  t.equal(id.slice(0, 13), '01234567-89ab')
})

t.test('a UUID in lower case is accepted, nothing else', async (t) => {
  const ids = new UuidIds({ now: () => 0 })
  t.equal(ids.accepts(ids.generate()), true)
  t.equal(ids.accepts('6ba7b810-9dad-11d1-80b4-00c04fd430c8'), true)
  for (const wrong of [
    '',
    'x',
    '6BA7B810-9DAD-11D1-80B4-00C04FD430C8',
    '6ba7b8109dad11d180b400c04fd430c8',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8\n'
  ]) {
    t.equal(ids.accepts(wrong), false, wrong)
  }
})
