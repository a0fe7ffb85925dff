/** Mails that stay in memory. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { checkMessage } from '../../src/messages/check-message.ts'
import { Outbox } from '../../src/transports/outbox.ts'

const BOUNDS = { from: 'shop@example.org', maxRecipients: 3, maxBytes: 2000 }
const aMail = (number: number, to = 'ada@example.org') => ({
  ...checkMessage({ to, subject: `Mail ${number}`, text: 'x' }, BOUNDS),
  messageId: `<${number}@example.org>`
})

t.test('each mail is returned once, oldest first, and awaited where there is none', async (t) => {
  const outbox = new Outbox(new ManualClock(7))
  const awaited = outbox.next({ to: 'bob@example.org' })
  await outbox.send(aMail(1))
  await outbox.send(aMail(2))
  await outbox.send(aMail(3, 'bob@example.org'))
  t.match(await awaited, { number: 3, subject: 'Mail 3', sentAt: 7 })
  t.match(await outbox.next(), { subject: 'Mail 1' })
  t.match(await outbox.next({ subject: 'il 2' }), { subject: 'Mail 2' })
  t.strictSame(
    outbox.list().map(({ number }) => number),
    [3, 2, 1]
  )
  outbox.clear()
  t.strictSame(outbox.list(), [])
})

t.test('a mail that does not come: the error says what came', async (t) => {
  const clock = new ManualClock(0)
  const outbox = new Outbox(clock)
  await outbox.send(aMail(1))
  const missed = outbox.next({ to: 'bob@example.org' }, { timeoutS: 2 })
  clock.advance(2000)
  await t.rejects(missed, { code: 'SVC_MAIL_NONE', message: /within 2 seconds; .*"Mail 1" to ada@example\.org/ })
  await outbox.send(aMail(2, 'bob@example.org'))
  t.match(await outbox.next({ to: 'bob@example.org' }), { number: 2 })
})

t.test('it holds the last 200', async (t) => {
  const outbox = new Outbox(new ManualClock(0))
  for (let number = 1; number <= 205; number += 1) await outbox.send(aMail(number))
  const numbers = outbox.list().map(({ number }) => number)
  t.equal(numbers.length, 200)
  t.equal(numbers.at(-1), 6)
})
