/** The sweep: again and again, whatever it meets, until it is stopped. */
import Fastify from 'fastify'
import t from 'tap'
import { ManualClock } from '../../src/conformance/index.ts'
import { PeriodicPurge } from '../../src/records/periodic-purge.ts'

function sweeping(sweep: (signal: AbortSignal) => Promise<number>) {
  const clock = new ManualClock()
  const lines: object[] = []
  const logger = { level: 'info', stream: { write: (text: string) => void lines.push(JSON.parse(text)) } }
  const purge = new PeriodicPurge({ name: 'things', intervalS: 10, sweep, clock, log: Fastify({ logger }).log })
  purge.start()
  return { clock, lines, purge }
}

/** A sweep that ends when the test says. */
function heldSweep() {
  let resolve = (_count: number): void => {}
  const promise = new Promise<number>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

t.test('once per interval; a failure is told and does not end it', async (t) => {
  let sweeps = 0
  const { clock, lines, purge } = sweeping(async () => {
    sweeps += 1
    if (sweeps === 2) throw new Error('down')
    return 1
  })
  for (let turn = 0; turn < 3; turn += 1) {
    clock.advance(10_000)
    await new Promise(setImmediate)
  }
  t.equal(sweeps, 3)
  t.match(lines, [{ msg: 'expired things could not be removed' }])
  await purge.stop()
  t.equal(clock.pending, 0)
})

t.test('stopped during a sweep, it waits for the end and does not go on', async (t) => {
  const { promise, resolve } = heldSweep()
  const { clock, purge } = sweeping(() => promise)
  clock.advance(10_000)
  let stopped = false
  const stop = purge.stop().then(() => {
    stopped = true
  })
  await new Promise(setImmediate)
  t.notOk(stopped, 'the sweep still runs')
  resolve(0)
  await stop
  t.equal(clock.pending, 0)
})

t.test('a sweep learns from its signal that it is stopped', async (t) => {
  const sweep = (signal: AbortSignal) =>
    new Promise<number>((resolve) => signal.addEventListener('abort', () => resolve(0)))
  const { clock, purge } = sweeping(sweep)
  clock.advance(10_000)
  await purge.stop()
  t.equal(clock.pending, 0)
})
