/** Slow statements in the log: one line per shape and minute, with how many and the slowest. */
import type { FastifyBaseLogger } from 'fastify'
import type { Statement } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { SlowStatementLog } from '../../src/statements/slow-statement-log.ts'

const MINUTE_MS = 60_000

function subject() {
  const lines: [fields: Readonly<Record<string, unknown>>, message: string][] = []
  const log = { warn: (fields: object, message: string) => lines.push([{ ...fields }, message]) }
  const clock = new ManualClock()
  return { lines, clock, slow: new SlowStatementLog(log as unknown as FastifyBaseLogger, clock) }
}

const statement = (text: string, durationMs: number): Statement => ({
  connector: 'main',
  kind: 'select',
  table: 'note',
  text,
  durationMs,
  failed: false,
  rows: 3
})

t.test('the first of a shape at once, the others once a minute', async (t) => {
  const { lines, clock, slow } = subject()
  slow.add(statement('select a', 250.4), 'Note')
  t.strictSame(lines, [
    [
      {
        code: 'SVC_ORM_SLOW_STATEMENT',
        connector: 'main',
        entity: 'Note',
        statement: 'select a',
        ms: 250,
        rows: 3,
        count: 1
      },
      'a statement on Note took 250 ms'
    ]
  ])
  for (const ms of [300, 900, 400]) slow.add(statement('select a', ms), 'Note')
  slow.add(statement('select b', 201), null)
  t.match(lines[1], [{ table: 'note', statement: 'select b', count: 1 }, 'a statement on note took 201 ms'])
  t.equal(lines.length, 2)
  clock.advance(MINUTE_MS - 1)
  t.equal(lines.length, 2)
  clock.advance(1)
  t.match(lines[2], [
    { statement: 'select a', ms: 900, count: 3 },
    '3 statements on Note of one shape were slow; the slowest took 900 ms'
  ])
  t.equal(lines.length, 3)
  clock.advance(MINUTE_MS)
  clock.advance(MINUTE_MS)
  t.equal(lines.length, 3)
  slow.add(statement('select a', 300), 'Note')
  t.match(lines[3], [{ count: 1 }, 'a statement on Note took 300 ms'], 'after a quiet minute it is news again')
})

t.test('a shape that comes late in a minute waits for a whole one', async (t) => {
  const { lines, clock, slow } = subject()
  slow.add(statement('select a', 300), 'Note')
  clock.advance(MINUTE_MS - 1000)
  slow.add(statement('select b', 300), 'Note')
  slow.add(statement('select b', 400), 'Note')
  clock.advance(1000)
  t.equal(lines.length, 2)
  clock.advance(MINUTE_MS)
  t.match(lines[2], [{ statement: 'select b', ms: 400, count: 1 }])
})

t.test('what is counted at the end is told; what has no text is told by its kind; failures say so', async (t) => {
  const { lines, clock, slow } = subject()
  const { text: _, rows: __, ...untold } = statement('', 300)
  slow.add({ ...untold, failed: true }, null)
  slow.add({ ...untold, failed: true }, null)
  slow.close()
  t.strictSame(
    lines.map(([{ statement, failed, rows }]) => [statement, failed, rows]),
    [
      ['select note', true, undefined],
      ['select note', true, undefined]
    ]
  )
  clock.advance(MINUTE_MS)
  t.equal(lines.length, 2)
})

t.test('texts that differ each time are bounded', async (t) => {
  const { lines, clock, slow } = subject()
  for (let number = 0; number < 250; number += 1) slow.add(statement(`select ${number}`, 300), 'Note')
  t.equal(lines.length, 100)
  clock.advance(MINUTE_MS)
  t.match(lines.slice(100), [[{ count: 150 }, '150 slow statements of other shapes were not told apart']])
  slow.add(statement('select more', 300), 'Note')
  t.equal(lines.length, 102, 'the quiet ones made room')
})
