/** Statements as they are published: to those who hear each, and to those who hear the slow ones. */
import t from 'tap'
import { requestChannels, type Statement } from '../../src/index.ts'
import { hearSlowStatements, publishStatement, statementsAreHeard } from '../../src/plugin.ts'

const FACTS = { connector: 'main', kind: 'select', table: 'note', text: 'select ?' }

t.test('without a listener nothing is made, and the work is its own', async (t) => {
  let asked = 0
  const facts = () => {
    asked += 1
    return FACTS
  }
  t.equal(statementsAreHeard(), false)
  t.equal(await publishStatement(facts, async () => 7), 7)
  const end = hearSlowStatements(1e9, () => t.fail('no statement takes that long'))
  t.equal(statementsAreHeard(), true)
  t.equal(await publishStatement(facts, async () => 8), 8)
  end()
  t.equal(statementsAreHeard(), false)
  t.equal(asked, 0)
})

t.test('each listener hears those from its own limit on', async (t) => {
  const slow: Statement[] = []
  const each: Statement[] = []
  const ends = [
    hearSlowStatements(0, (statement) => void slow.push(statement)),
    hearSlowStatements(1e9, () => t.fail('no statement takes that long'))
  ]
  await publishStatement(
    FACTS,
    async () => ['a', 'b'],
    ({ length }) => length
  )
  ends.push(requestChannels.statement.subscribe((statement) => void each.push(statement)))
  await publishStatement(
    () => FACTS,
    async () => null
  )
  t.match(slow, [
    { ...FACTS, failed: false, rows: 2 },
    { ...FACTS, failed: false }
  ])
  t.notOk('rows' in (slow[1] as Statement), 'a driver may not know')
  t.strictSame(each, slow.slice(1))
  for (const { durationMs } of slow) t.ok(durationMs >= 0)
  ends[0]?.()
  await publishStatement(FACTS, async () => null)
  t.equal(slow.length, 2)
  t.equal(each.length, 2)
  for (const end of ends.slice(1)) end()
})

t.test('one that fails is published, and its error goes to the caller', async (t) => {
  const heard: Statement[] = []
  const end = hearSlowStatements(0, (statement) => void heard.push(statement))
  const error = new Error('refused')
  await t.rejects(
    publishStatement(
      FACTS,
      () => Promise.reject(error),
      () => 1
    ),
    error
  )
  end()
  t.match(heard, [{ ...FACTS, failed: true }])
  t.notOk('rows' in (heard[0] as Statement))
})
