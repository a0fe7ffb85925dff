/** The driver does what every engine behind the storage port does, keeps it in its file, and is small. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ManualClock, tableConformance } from 'svc-stores/conformance'
import type { TablePlan } from 'svc-stores/table'
import t from 'tap'
import { inRepository } from '../documentation/repository.ts'
import { FileDatabase } from './file-database.ts'

t.test('the published suite of the storage port', (t) =>
  tableConformance(t, {
    async open(plans) {
      const database = new FileDatabase(join(t.testdir({}), 'suite.json'), new ManualClock())
      for (const plan of plans) database.table(plan)
      await database.open()
      return database
    },
    close: (database) => (database as FileDatabase).close()
  })
)

interface Event {
  readonly id: string
  readonly day: Date | null
  readonly days: readonly Date[]
  readonly payload: object
}

const plan: TablePlan = {
  name: 'event',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'day', type: 'date', nullable: true },
    { name: 'days', type: 'date', list: true },
    { name: 'payload', type: 'document' }
  ]
}

async function opened(file: string, event = plan) {
  const database = new FileDatabase(file, new ManualClock())
  const events = database.table<Event>(event)
  await database.open()
  return { database, events }
}

t.test('rows are what they were when the file is opened again', async (t) => {
  const file = join(t.testdir({}), 'events.json')
  const before = await opened(file)
  const day = new Date('2024-02-29T12:00:00.123Z')
  const payload = { b: '2024-02-29T12:00:00.123Z', a: ['half \ud800', null, { 'x.y': 1 }], 10: 'ten' }
  const rows = [null, day].map((each) => ({ id: before.database.ids.generate(), day: each, days: [day], payload }))
  await before.events.insert(rows)
  await before.database.close()

  const wider: TablePlan = { ...plan, columns: [...plan.columns, { name: 'state', type: 'text', default: 'new' }] }
  const after = await opened(file, wider)
  t.strictSame(
    await after.events.find({}),
    rows.map((row) => ({ ...row, state: 'new' }))
  )
  t.equal((await after.events.findOne({ day }))?.id, rows[1]?.id)
  t.equal(statSync(file).mode & 0o777, 0o600)
})

t.test('a transaction writes once, at its end, and one that is undone writes nothing', async (t) => {
  const file = join(t.testdir({}), 'events.json')
  const { database, events } = await opened(file)
  const row = () => ({ id: database.ids.generate(), day: null, days: [], payload: {} })
  await events.insert([row()])
  const text = readFileSync(file, 'utf8')
  const undone = database.transaction(async (tx) => {
    await events.within(tx).insert([row()])
    t.equal(readFileSync(file, 'utf8'), text)
    t.equal(await events.count({}), 1, 'nobody else sees it')
    throw new Error('undo')
  })
  await t.rejects(undone, /undo/)
  t.equal(readFileSync(file, 'utf8'), text)
  await database.transaction(async (tx) => {
    await events.within(tx).insert([row()])
    const part = tx.savepoint(async () => {
      await events.within(tx).delete({})
      throw new Error('only this')
    })
    await t.rejects(part, /only this/)
  })
  await database.close()
  t.equal(await (await opened(file)).events.count({}), 2)
})

t.test('what cannot be written is refused, and not there afterwards', async (t) => {
  const folder = t.testdir({ 'events.json.next': {} })
  const { database, events } = await opened(join(folder, 'events.json'))
  const insert = () => events.insert([{ id: database.ids.generate(), day: null, days: [], payload: {} }])
  await t.rejects(insert(), { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 })
  t.equal(await events.count({}), 0)
  t.match(await database.health(), { connected: true, errorCount: 1, lastError: /written/ })
  await database.close()
  await t.rejects(insert(), { code: 'SVC_ORM_UNAVAILABLE' })
  await t.rejects(events.count({}), { code: 'SVC_ORM_UNAVAILABLE' })
  writeFileSync(join(folder, 'events.json'), '{"event":[')
  await t.rejects(database.open(), SyntaxError)
})

t.test('the whole driver has fewer than 350 lines of code, comments and blank lines aside', async (t) => {
  const folder = inRepository('test/interop/foreign-driver')
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const lines = sources.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  const code = lines.filter((line) => !/^\s*(?:$|\/\/|\/\*\*|\*)/.test(line))
  t.ok(code.length < 350, `${code.length} lines of code`)
  t.notMatch(lines.join('\n'), /memory-engine|[Mm]emoryDatabase|MemoryTable|MemoryRows/)
})
