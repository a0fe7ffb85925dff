/** What does not need a server: envelopes there and back, delays of reconnections, addresses without their secrets. */
import fc from 'fast-check'
import t from 'tap'
import { readEnvelope, retryDelay, shownTarget, writeEnvelope } from '../../src/adapters/redis-adapter.ts'

t.test('there and back', async () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), (data, from) => {
      const text = writeEnvelope({ from, channel: 'a', data: JSON.stringify(JSON.parse(data)) })
      const back = readEnvelope(text)
      return back !== null && back.from === from && back.data === JSON.stringify(JSON.parse(data))
    })
  )
})

t.test('anything else is nothing', async (t) => {
  const texts = ['', '{', 'null', '[]', '1', '{}', '{"from":1,"channel":"a","data":1}', '{"from":"x","channel":"a"}']
  for (const text of [...texts, '{"from":"x","channel":"a b","data":1}']) t.equal(readEnvelope(text), null, text)
})

t.strictSame(
  [1, 2, 3, 4, 5, 6, 7, 1000].map(retryDelay),
  [50, 100, 200, 400, 800, 1000, 1000, 1000],
  'doubling, up to two seconds'
)

const addresses = [
  ['redis://127.0.0.1:6379', 'redis://127.0.0.1:6379'],
  ['redis://user:password@host', 'redis://host'],
  ['rediss://:p%40ss@host:1/2?password=x', 'rediss://host:1/2'],
  ['redis://[', 'an unreadable address']
] as const

for (const [url, shown] of addresses) t.equal(shownTarget(url), shown)
