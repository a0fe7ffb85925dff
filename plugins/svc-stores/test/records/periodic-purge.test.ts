/** The sweep: again and again, whatever it meets, until it is stopped. */
import Fastify from 'fastify'
import t from 'tap'
import { ManualClock } from '../../src/conformance/index.ts'
import { PeriodicPurge } from '../../src/records/periodic-purge.ts'

function sweeping(sweep: () => Promise<number>) {
  const clock = new ManualClock()
  const lines: object[] = []
  const logger = { level: 'info', stream: { write: (text: string) => void lines.push(JSON.parse(text)) } }
  const purge = new PeriodicPurge({ name: 'things', intervalS: 10, sweep, clock, log: Fastify({ logger }).log })
  purge.start()
  return { clock, lines, purge }
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
  purge.stop()
  t.equal(clock.pending, 0)
})

t.test('stopped during a sweep, it does not go on', async (t) => {
  let finish = () => {}
  const { clock, purge } = sweeping(
    () =>
      new Promise((resolve) => {
        finish = () => resolve(0)
      })
  )
  clock.advance(10_000)
  purge.stop()
  finish()
  await new Promise(setImmediate)
  t.equal(clock.pending, 0)
})
