/** A store that fails is replaced: who waits, for how long, and what the log says. */
import type { FastifyBaseLogger } from 'fastify'
import t from 'tap'
import { ManualClock } from '../../src/conformance/index.ts'
import { InsuredStore } from '../../src/insured/insured-store.ts'

const turn = () => new Promise(setImmediate)

function subject(answer: () => Promise<string>) {
  const clock = new ManualClock()
  const lines: string[] = []
  const say = (level: string) => (_fields: object, text: string) => void lines.push(`${level}: ${text}`)
  const log = { error: say('error'), warn: say('warn'), info: say('info') } as unknown as FastifyBaseLogger
  let asked = 0
  const insured = new InsuredStore({
    store: {
      get: () => {
        asked += 1
        return answer()
      }
    },
    deadlineMs: 500,
    probe: (store) => store.get(),
    clock,
    log,
    code: 'SVC_TEST',
    name: 'the store of things',
    meanwhile: 'memory answers'
  })
  const ask = () =>
    insured.ask(
      (store) => store.get(),
      () => 'memory'
    )
  return { ask, clock, lines, asked: () => asked }
}

t.test('a failure begins an outage, in which the store is asked once a second and by no caller', async (t) => {
  let down = true
  const { ask, clock, lines, asked } = subject(async () => {
    if (down) throw new Error('gone')
    return 'store'
  })
  t.strictSame(await Promise.all([ask(), ask(), ask()]), ['memory', 'memory', 'memory'])
  t.strictSame(lines, ['error: the store of things failed; memory answers'])
  t.equal(asked(), 3, 'those that were on their way')
  t.equal(await ask(), 'memory')
  t.equal(asked(), 3)
  clock.advance(1_000)
  t.strictSame([await ask(), await ask()], ['memory', 'memory'])
  await turn()
  t.equal(asked(), 4, 'one probe')
  down = false
  clock.advance(1_000)
  t.equal(await ask(), 'memory', 'no caller waits for the probe')
  await turn()
  t.equal(await ask(), 'store')
  t.strictSame(lines, ['error: the store of things failed; memory answers', 'info: the store of things answers again'])
})

t.test('an answer that is late is a failure, also that of a probe', async (t) => {
  const { ask, clock, lines, asked } = subject(() => new Promise(() => undefined))
  const waiting = ask()
  await turn()
  clock.advance(500)
  t.equal(await waiting, 'memory')
  clock.advance(1_000)
  t.equal(await ask(), 'memory')
  await turn()
  clock.advance(500)
  await turn()
  t.equal(asked(), 2)
  t.equal(lines.length, 1, 'the outage began once')
})

t.test('a clock that was set back does not put the probe off', async (t) => {
  let down = true
  const { ask, clock } = subject(async () => {
    if (down) throw new Error('gone')
    return 'store'
  })
  await ask()
  down = false
  clock.advance(-86_400_000)
  await ask()
  await turn()
  t.equal(await ask(), 'store')
})

t.test('an outage that the database has announced is a warning', async (t) => {
  const { ask, lines } = subject(async () => {
    throw Object.assign(new Error('away'), { statusCode: 503, announced: true })
  })
  await ask()
  t.match(lines, [/^warn/])
})

t.test('what answers instead may refuse; the caller gets that error', async (t) => {
  const { clock, lines } = subject(async () => 'store')
  const insured = new InsuredStore({
    store: null,
    deadlineMs: 500,
    probe: () => null,
    clock,
    log: { error: () => lines.push('error') } as unknown as FastifyBaseLogger,
    code: 'SVC_TEST',
    name: 'a store',
    meanwhile: 'calls are refused'
  })
  const refuse = () => {
    throw new Error('refused')
  }
  await t.rejects(
    insured.ask(() => {
      throw new Error('gone')
    }, refuse),
    { message: 'refused' }
  )
})
