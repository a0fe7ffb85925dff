/** The hourly purge: its days, its failures, its end. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Retention } from '../../src/journal/retention.ts'
import { listeningLog } from '../support/journal-parts.ts'

const HOUR = 3_600_000
const turn = () => new Promise((resolve) => setImmediate(resolve))

function setUp(days: number, purge = async (_days: number) => 0) {
  const clock = new ManualClock()
  const { log, lines } = listeningLog()
  const asked: number[] = []
  const store = {
    purge: (given: number) => {
      asked.push(given)
      return purge(given)
    }
  }
  const retention = new Retention({ store, clock, log, days })
  return { retention, clock, lines, asked }
}

t.test('every hour, with the days of the options', async (t) => {
  const { retention, clock, asked, lines } = setUp(365, async () => 3)
  retention.start()
  clock.advance(HOUR - 1)
  t.strictSame(asked, [])
  clock.advance(1)
  clock.advance(HOUR)
  await turn()
  t.strictSame(asked, [365, 365])
  t.match(lines, [{ level: 'info', fields: { removed: 3 } }, {}])
  retention.stop()
  clock.advance(HOUR)
  t.strictSame([asked.length, clock.pending], [2, 0])
})

t.test('0 days: never', async (t) => {
  const { retention, clock, asked } = setUp(0)
  retention.start()
  clock.advance(HOUR * 10)
  t.strictSame([asked, clock.pending], [[], 0])
  retention.stop()
})

t.test('a purge that fails is told, and the next one comes', async (t) => {
  const { retention, clock, asked, lines } = setUp(1, async () => {
    throw new Error('down')
  })
  retention.start()
  clock.advance(HOUR)
  clock.advance(HOUR)
  await turn()
  t.equal(asked.length, 2)
  t.match(lines, [{ level: 'error', fields: { code: 'SVC_AUDIT_STORE' } }, { level: 'error' }])
  retention.stop()
})
