/** Records on their way into a store: few writes, in order, again where they fail, and an answer for whoever waits. */
import type { FastifyBaseLogger } from 'fastify'
import t from 'tap'
import { ManualClock } from '../../src/conformance/manual-clock.ts'
import { BatchWriter } from '../../src/records/batch-writer.ts'

async function turns(count = 10): Promise<void> {
  for (let index = 0; index < count; index += 1) await new Promise((resolve) => setImmediate(resolve))
}

function aWriter(pauseMs = 0) {
  const clock = new ManualClock()
  const lines: string[] = []
  const logged = (_: object, text: string) => void lines.push(text)
  const log = { debug: logged, error: logged } as unknown as FastifyBaseLogger
  const [asked, written]: [number[][], number[][]] = [[], []]
  const state: { answer: (() => Promise<void>) | null } = { answer: null }
  const writer = new BatchWriter<number, string>({
    clock,
    log,
    async write(batch) {
      asked.push([...batch])
      await state.answer?.()
      return 'stored'
    },
    onWritten: (result, batch) => written.push([...batch, result.length]),
    batchSize: 3,
    maxWaiting: 7,
    pauseMs,
    closeDeadlineMs: 500,
    timeout: (ms) => new Error(`late by ${ms}`),
    unwritten: () => new Error('unwritten'),
    failure: { code: 'X_STORE', text: 'not taken' },
    loss: { code: 'X_DROPPED', begins: 'dropping', over: 'are missing' }
  })
  return { writer, clock, lines, asked, written, state }
}

const down = () => Promise.reject(new Error('down'))

t.test('a burst makes few writes, in order, in a later turn; what was written is told with its result', async (t) => {
  const { writer, asked, written } = aWriter()
  for (let item = 1; item <= 7; item += 1) writer.add(item)
  t.strictSame([asked, writer.size], [[], 7])
  await writer.storedUpTo(4)
  t.ok(asked.length >= 2)
  await turns()
  t.strictSame(asked, [[1, 2, 3], [4, 5, 6], [7]])
  t.strictSame(written.at(-1), [7, 'stored'.length])
  t.equal(writer.size, 0)
})

t.test(
  'what is written in a trickle is gathered; a full batch, or somebody who waits, is not kept waiting',
  async (t) => {
    const { writer, clock, asked } = aWriter(50)
    writer.add(1)
    await turns()
    t.strictSame(asked, [[1]], 'the first goes at once')
    writer.add(2)
    writer.add(3)
    await turns()
    clock.advance(49)
    await turns()
    t.equal(asked.length, 1)
    clock.advance(1)
    await turns()
    t.strictSame(asked[1], [2, 3])
    for (const item of [4, 5, 6]) writer.add(item)
    await turns()
    t.strictSame(asked[2], [4, 5, 6], 'full')
    writer.add(7)
    await writer.storedUpTo(writer.added)
    t.strictSame(asked[3], [7], 'waited for')
    await turns()
    clock.advance(50)
    await turns()
    t.equal(clock.pending, 0, 'nothing is timed where nothing waits')
  }
)

t.test('who begins to wait during a write waits for no pause', async (t) => {
  const { writer, asked, state } = aWriter(50)
  let release = () => {}
  state.answer = () => new Promise((resolve) => (release = resolve))
  writer.add(1)
  await turns()
  writer.add(2)
  const stored = writer.storedUpTo(2)
  release()
  await turns()
  release()
  await stored
  t.strictSame(asked, [[1], [2]])
})

t.test('a write that failed is made again with the same items; what came since follows', async (t) => {
  const { writer, clock, asked, state, lines } = aWriter(50)
  state.answer = down
  writer.add(1)
  await t.rejects(writer.storedUpTo(1), { message: 'unwritten' })
  t.ok(writer.failing)
  for (const item of [2, 3, 4]) writer.add(item)
  await turns()
  t.equal(asked.length, 1, 'a full batch does not hurry a store that is down')
  clock.advance(1000)
  await turns()
  t.strictSame(asked, [[1], [1]])
  state.answer = null
  await writer.storedUpTo(4)
  t.strictSame(asked, [[1], [1], [1], [2, 3, 4]], 'who waits has it written at once')
  t.notOk(writer.failing)
  t.strictSame(lines, ['not taken', 'not taken'])
})

t.test('what finds no room is counted and told, at its begin and when it is over', async (t) => {
  const { writer, lines } = aWriter()
  for (let item = 1; item <= 9; item += 1) writer.add(item)
  t.equal(writer.add(10), Number.POSITIVE_INFINITY)
  t.equal(writer.dropped, 3)
  await turns()
  t.strictSame(lines, ['dropping', '3 are missing'])
  await t.rejects(writer.storedUpTo(Number.POSITIVE_INFINITY), { message: 'unwritten' })
})

t.test('closing writes the one under way again and what waits, takes no more, and says what is lost', async (t) => {
  const { writer, asked, state, written } = aWriter()
  const held: (() => void)[] = []
  state.answer = () => new Promise((resolve) => held.push(resolve))
  for (let item = 1; item <= 4; item += 1) writer.add(item)
  await turns()
  const closing = writer.close()
  t.equal(writer.add(5), Number.POSITIVE_INFINITY)
  for (let at = 0; at < 3; at += 1) {
    await turns()
    held[at]?.()
  }
  t.equal(await closing, 0)
  t.strictSame(asked, [[1, 2, 3], [1, 2, 3], [4]])
  t.equal(written.length, 2, 'told once')

  const away = aWriter()
  away.state.answer = () => new Promise(() => {})
  for (let item = 1; item <= 4; item += 1) away.writer.add(item)
  const waiting = t.rejects(away.writer.storedUpTo(2), { message: 'unwritten' })
  const ending = away.writer.close()
  away.clock.advance(500)
  t.equal(await ending, 4)
  await waiting
  await t.rejects(away.writer.storedUpTo(1), { message: 'unwritten' })
  t.equal(away.writer.dropped, 4)
})
