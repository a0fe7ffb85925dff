/** Messages between instances: there and back, and nothing but envelopes. */
import fc from 'fast-check'
import t from 'tap'
import { readEnvelope, writeEnvelope } from '../../src/adapters/envelope.ts'

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
