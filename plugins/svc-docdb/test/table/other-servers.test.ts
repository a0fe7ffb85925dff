/** Servers that speak MongoDB's protocol and say less: refused updates without an index, upserts that lose. */
import type { Document } from 'mongodb'
import mongoose from 'mongoose'
import type { TablePlan } from 'svc-stores/table'
import t from 'tap'
import { PoolAdmission } from '../../src/connection/pool-admission.ts'
import { storageFailure } from '../../src/connection/storage-failure.ts'
import type { DocumentAccess } from '../../src/table/document-access.ts'
import { DocumentColumns } from '../../src/table/document-columns.ts'
import { DocumentTable } from '../../src/table/document-table.ts'
import { OperationRunner } from '../../src/transactions/operation-runner.ts'

const { MongoServerError, ObjectId } = mongoose.mongo

interface Thing {
  readonly id: string
  readonly code: string
  readonly serial: number
  readonly label: string
}

const plan: TablePlan = {
  name: 'thing',
  record: 'thing',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'code', type: 'text' },
    { name: 'serial', type: 'integer' },
    { name: 'label', type: 'text' }
  ],
  indexes: [
    { columns: ['code'], unique: true },
    { columns: ['serial'], unique: true }
  ]
}

const duplicate = () =>
  new MongoServerError({ code: 11_000, errmsg: 'Duplicate key violation on the requested collection' })
const conflict = () => new MongoServerError({ code: 112, errmsg: 'could not serialize access' })

function tableOn(access: Partial<DocumentAccess>): DocumentTable<Thing> {
  const connection = {
    name: 'default',
    outages: 0,
    opened: async () => undefined,
    answered: () => undefined,
    admission: new PoolAdmission({ maxPoolSize: 100, patienceMs: 1000, connected: () => true }),
    failure: (error: unknown, of: TablePlan) => storageFailure(error, 'default', of)
  }
  const table: DocumentTable<Thing> = new DocumentTable<Thing>({
    runner: new OperationRunner(connection as never, plan),
    columns: new DocumentColumns(plan),
    access: access as DocumentAccess,
    insertsAtOnce: false,
    indexed: true,
    tableOf: () => table as never,
    tx: null
  })
  return table
}

t.test('a refused update names the only unique column that it changes', async (t) => {
  const refuse = () => Promise.reject(duplicate())
  const things = tableOn({ update: refuse, updateOne: refuse })
  const changes = [
    { set: { code: 'x', label: 'y' } },
    { add: { serial: 1 } },
    { set: { code: 'x' }, add: { serial: 1 } }
  ]
  for (const [index, fields] of [['code'], ['serial'], []].entries()) {
    const change = changes[index] as object
    const refused = { code: 'SVC_ORM_UNIQUE', entity: 'thing', fields }
    await t.rejects(things.update({ label: 'a' }, change), refused)
    await t.rejects(things.updateOne({ label: 'a' }, change), refused)
  }
})

t.test('an upsert that loses to another answers the row of the other', async (t) => {
  const row = { id: new ObjectId().toHexString(), code: 'x', serial: 1, label: 'mine' }
  const standing: Document = { _id: new ObjectId(), code: 'x', serial: 2, label: 'of another' }
  let lost = 0
  const losing = (until: number): DocumentTable<Thing> =>
    tableOn({
      upsert: async () => {
        lost += 1
        throw conflict()
      },
      findOne: async () => (lost < until ? null : standing)
    })
  t.equal((await losing(3).insertIfAbsent(row, ['code'])).label, 'of another')
  t.equal(lost, 3, 'as long as no row stands, it tries again')
  lost = 0
  await t.rejects(losing(100).insertIfAbsent(row, ['code']), { code: 'SVC_ORM_CONFLICT' })
  t.equal(lost, 5, 'but not for ever')
})

t.test('rows with the same unique value are inserted one after another, others at once', async (t) => {
  const inserting: string[] = []
  const finish: (() => void)[] = []
  const things = tableOn({
    insert: (documents) => {
      const [document] = documents
      inserting.push(`${document?.code} ${document?.serial}`)
      return new Promise((resolve, reject) => {
        finish.push(() => (document?.label === 'refused' ? reject(duplicate()) : resolve(null)))
      })
    }
  })
  const insert = (code: string, serial: number, label = '') =>
    things.insert([{ id: new ObjectId().toHexString(), code, serial, label }])
  const first = insert('a', 1, 'refused')
  const calls = [insert('b', 2), insert('a', 3), insert('c', 2), insert('c', 1)]
  await reached(inserting, 2)
  t.same(inserting, ['a 1', 'b 2'])
  finish[0]?.()
  await t.rejects(first, { code: 'SVC_ORM_UNIQUE' })
  await reached(inserting, 3)
  t.same(inserting.slice(2), ['a 3'], 'also after one that was refused')
  finish[1]?.()
  await reached(inserting, 4)
  t.same(inserting.slice(3), ['c 2'], 'the last one waits for both of its values')
  finish[3]?.()
  await reached(inserting, 5)
  finish[2]?.()
  finish[4]?.()
  await Promise.all(calls)
  t.equal(inserting.at(-1), 'c 1')
})

t.test('an insert that loses is done again, and not for ever', async (t) => {
  let lost = 0
  const losing = (times: number) =>
    tableOn({
      insert: async () => {
        lost += 1
        if (lost <= times) throw conflict()
        return null
      }
    })
  const row = { id: new ObjectId().toHexString(), code: 'x', serial: 1, label: '' }
  await losing(2).insert([row])
  t.equal(lost, 3)
  lost = 0
  await t.rejects(losing(100).insert([row]), { code: 'SVC_ORM_CONFLICT' })
  t.equal(lost, 5)
})

/** Resolves when so many inserts have reached the server. */
async function reached(inserting: readonly string[], count: number): Promise<void> {
  while (inserting.length < count) await new Promise(setImmediate)
}
