/** One attempt: how it ends when its work ends, fails, takes too long, is cancelled or interrupted, and when it does not listen. */
import { once } from 'node:events'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { GRACE_MS, Interrupted, JobAttempt } from '../../src/running/attempt.ts'

function attempt(work: (signal: AbortSignal) => unknown) {
  const clock = new ManualClock()
  return { clock, attempt: new JobAttempt({ lane: 'a', clock, timeoutMs: 1000, work: ({ signal }) => work(signal) }) }
}

const listening = (signal: AbortSignal) => once(signal, 'abort').then(() => Promise.reject(new Error('own words')))
const deaf = () => new Promise(() => undefined)

t.test('work that ends, throws and rejects', async (t) => {
  t.strictSame(await attempt(() => 1).attempt.run(), { kind: 'done' })
  const broken = new Error('broken')
  const fails = () => {
    throw broken
  }
  t.strictSame(await attempt(fails).attempt.run(), { kind: 'failed', error: broken, abandoned: false })
  t.strictSame(await attempt(async () => fails()).attempt.run(), { kind: 'failed', error: broken, abandoned: false })
})

t.test('work that takes too long is told, and its timeout is the reason', async (t) => {
  const { clock, attempt: long } = attempt(listening)
  const end = long.run()
  clock.advance(999)
  clock.advance(1)
  t.match(await end, { kind: 'failed', error: { code: 'SVC_JOBS_TIMEOUT', message: /1 seconds/ }, abandoned: false })
})

t.test('work that does not listen is abandoned after its grace', async (t) => {
  const { clock, attempt: long } = attempt(deaf)
  const end = long.run()
  clock.advance(1000)
  let over = false
  void end.then(() => (over = true))
  clock.advance(GRACE_MS - 1)
  await new Promise(setImmediate)
  t.equal(over, false)
  clock.advance(1)
  t.match(await end, { kind: 'failed', error: { code: 'SVC_JOBS_TIMEOUT' }, abandoned: true })
})

t.test('work that ends in spite of its signal is done', async (t) => {
  const { attempt: late } = attempt((signal) => once(signal, 'abort'))
  const end = late.run()
  late.abort(new Error('the job was cancelled'))
  t.strictSame(await end, { kind: 'done' })
})

t.test('an interrupted attempt is neither done nor failed, whether it listens or not', async (t) => {
  for (const work of [listening, deaf]) {
    const { clock, attempt: stopped } = attempt(work)
    const end = stopped.run()
    stopped.abort(new Interrupted())
    clock.advance(GRACE_MS)
    t.strictSame(await end, { kind: 'interrupted' })
  }
})
