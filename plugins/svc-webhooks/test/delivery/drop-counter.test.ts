/** Drops are counted one by one and told by the burst. */
import t from 'tap'
import { DropCounter } from '../../src/delivery/drop-counter.ts'
import { listeningLog } from '../support/delivery-fixtures.ts'

t.test('two lines for a burst, whatever its length', async (t) => {
  const { log, lines } = listeningLog()
  const drops = new DropCounter(log)
  drops.over()
  t.equal(lines.length, 0)
  for (let index = 0; index < 1000; index += 1) drops.count(index % 4 === 0 ? 'wh_1' : 'wh_2')
  t.match(lines, [{ level: 'error', fields: { code: 'SVC_WEBHOOKS_DROPPED', endpoint: 'wh_1' } }])
  t.equal(lines.length, 1)
  drops.over()
  drops.over()
  t.equal(lines.length, 2)
  t.match(lines[1], { level: 'warn', fields: { dropped: 1000, total: 1000 } })
  drops.count('wh_1')
  drops.over()
  t.match(lines[3], { fields: { dropped: 1, total: 1001 } })
  t.strictSame([drops.total, drops.of('wh_1'), drops.of('wh_2'), drops.of('wh_3')], [1001, 251, 750, 0])
})

t.test('it forgets an endpoint that is gone, and the first beyond ten thousand', async (t) => {
  const drops = new DropCounter(listeningLog().log)
  for (let index = 0; index <= 10_000; index += 1) drops.count(`wh_${index}`)
  t.strictSame([drops.of('wh_0'), drops.of('wh_1'), drops.of('wh_10000')], [0, 1, 1])
  drops.forget('wh_1')
  t.equal(drops.of('wh_1'), 0)
  t.equal(drops.total, 10_001)
})
