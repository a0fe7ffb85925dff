/** Derived ids: the same for the same event and endpoint, and for no other pair. */
import t from 'tap'
import { messageId } from '../../src/signature/message.ts'

t.test('a message has the same id on every instance and after every crash', async (t) => {
  t.equal(messageId('aud_1', 'wh_1'), messageId('aud_1', 'wh_1'))
  t.equal(messageId('aud_1', 'wh_1'), 'msg_cKbleBWKNy4e2AbPlbp7blmP', 'it never changes')
  t.match(messageId('aud_1', 'wh_1'), /^msg_[A-Za-z0-9_-]{24}$/)
})

t.test('two pairs never share one', async (t) => {
  const pairs = [
    ['aud_1', 'wh_1'],
    ['aud_1', 'wh_2'],
    ['aud_2', 'wh_1'],
    ['aud_1w', 'h_1'],
    ['aud_', '1wh_1'],
    ['', 'aud_1wh_1']
  ] as const
  t.equal(new Set(pairs.map(([event, endpoint]) => messageId(event, endpoint))).size, pairs.length)
})
