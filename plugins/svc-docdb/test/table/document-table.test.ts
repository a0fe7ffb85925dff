/** Tables of the storage port on a real engine: the suite of every driver, and what only documents have. */
import type { Document, IndexDescriptionInfo } from 'mongodb'
import mongoose from 'mongoose'
import { type ConformanceRunner, tableConformance } from 'svc-stores/conformance'
import { atMost, holdingItem, isNull, type TablePlan } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { DocumentDatabase } from '../../src/document-database.ts'
import { documents } from '../support/documents.ts'
import { connectionTo } from '../support/open-connection.ts'

const { ObjectId } = mongoose.mongo

interface Person {
  readonly id: string
  readonly mail: string
  readonly secret: string | null
  readonly score: number | null
  readonly roles: readonly string[]
  readonly accounts: readonly { readonly provider: string; readonly subject: string }[]
  readonly free: object
  readonly at: number
}

const plan: TablePlan = {
  name: 'app_person',
  collection: 'Person',
  record: 'person',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'mail', type: 'text', searched: true },
    { name: 'secret', type: 'text', nullable: true },
    { name: 'score', type: 'integer', nullable: true },
    { name: 'roles', type: 'text', list: true },
    { name: 'accounts', type: 'json', list: true },
    { name: 'free', type: 'document' },
    { name: 'at', type: 'time' }
  ],
  indexes: [
    { columns: ['mail'], unique: true, name: 'unique_mail' },
    { columns: ['secret'], unique: true },
    { columns: ['score'], held: 'score', on: 'sql' },
    { columns: ['roles', ['at', 'desc'], 'id'], name: 'by_role', on: 'documents' }
  ],
  itemIndexes: [
    { column: 'roles', table: 'app_person_role', columns: ['role'], owner: 'personId' },
    {
      column: 'accounts',
      fields: ['subject', 'provider'],
      unique: true,
      table: 'app_person_account',
      columns: ['subject', 'provider'],
      owner: 'personId',
      name: 'unique_account'
    }
  ]
}

const person: Omit<Person, 'id'> = {
  mail: 'ann@example.org',
  secret: null,
  score: null,
  roles: ['a'],
  accounts: [],
  free: { b: 1, a: [] },
  at: 5
}

/** A table in a database of its own, opened. */
async function opened(t: Test, native = true) {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri })
  const database = new DocumentDatabase(connection, native)
  const people = database.table<Person>(plan)
  await connection.open()
  return { connection, database, people, collection: connection.db.collection('Person') }
}

t.test('the suite', { timeout: 300_000 }, async (t) => {
  const { uri } = await documents(t)
  await tableConformance(t as ConformanceRunner, {
    open: async (plans) => {
      const connection = connectionTo(t, { uri })
      const database = new DocumentDatabase(connection)
      for (const each of plans) database.table(each)
      await connection.open()
      return database
    }
  })
})

t.test('documents have native types, and nothing where a row has null', async (t) => {
  const { people, database, collection } = await opened(t)
  const id = database.ids.generate()
  await people.insert([{ id, ...person }])
  const stored = await collection.findOne({})
  t.strictSame(Object.keys(stored ?? {}).sort(), ['_id', 'accounts', 'at', 'free', 'mail', 'roles'])
  t.ok(stored?._id instanceof ObjectId)
  t.strictSame(stored?.at, new Date(5))
  t.strictSame(stored?.free, { b: 1, a: [] })
  await people.update({ id }, { set: { score: 3 } })
  await people.update({ id }, { set: { score: null } })
  t.notOk(Object.hasOwn((await collection.findOne({})) ?? {}, 'score'))
})

t.test('documents of an earlier version: an explicit null, a field that is not there', async (t) => {
  const { people, collection } = await opened(t)
  const _id = new ObjectId()
  await collection.insertOne({ _id, mail: 'old', score: null, at: new Date(7), more: 'kept' })
  const row = {
    id: _id.toHexString(),
    mail: 'old',
    secret: null,
    score: null,
    roles: [],
    accounts: [],
    free: {},
    at: 7
  }
  t.strictSame(await people.findOne({ mail: 'old' }), row)
  t.equal(await people.count({ score: isNull, secret: isNull }), 1)
  t.equal((await people.updateOne({ id: row.id }, { max: { score: 4 } }))?.score, 4)
  t.equal((await collection.findOne({ _id }))?.more, 'kept', 'what is not declared is left as it is')
  t.strictSame(await people.put({ ...row, roles: ['x'] }), { ...row, roles: ['x'] })
})

t.test('indexes have the names and forms of the plan', async (t) => {
  const { collection, connection, database } = await opened(t)
  const indexes = (await collection.indexes()).map(shown).sort((a, b) => (a.name < b.name ? -1 : 1))
  t.strictSame(indexes, [
    { name: '_id_', key: [['_id', 1]] },
    {
      name: 'by_role',
      key: [
        ['roles', 1],
        ['at', -1],
        ['_id', 1]
      ]
    },
    {
      name: 'unique_account',
      key: [
        ['accounts.provider', 1],
        ['accounts.subject', 1]
      ],
      unique: true,
      where: { 'accounts.subject': { $exists: true } }
    },
    { name: 'unique_mail', key: [['mail', 1]], unique: true },
    { name: 'unique_secret', key: [['secret', 1]], unique: true, where: { secret: { $exists: true } } }
  ])
  t.throws(() => database.table({ ...plan, name: 'late' }), /declared after connection svc opened/)
  t.throws(() => database.table({ ...plan, columns: [] }), /declared twice/)
  t.equal(database.table(plan), database.table(plan))
  t.equal(database.storedAs(plan), 'Person')
  t.equal(database.closing, false)
  t.strictSame(await database.reset(), ['Person'])
  t.equal((await collection.indexes()).length, 5, 'a reset makes them anew')
  await connection.close()
  t.equal(database.closing, true)
})

t.test('the native model shows the same documents', async (t) => {
  const { connection, people, database } = await opened(t)
  const id = database.ids.generate()
  await people.insert([{ id, ...person, accounts: [{ provider: 'idp', subject: 'ann' }] }])
  const shown = (await connection.mongoose.model('Person').findOne({}))?.toJSON()
  t.match(shown, { id, mail: 'ann@example.org', score: null, accounts: [{ provider: 'idp' }] })
  t.notOk(Object.hasOwn(shown ?? {}, '__v'))
  t.notOk(Object.hasOwn(shown ?? {}, 'secret'), 'a unique index would count an explicit null')
})

t.test('violations name the record and its columns, whichever statement met them', async (t) => {
  const { people, database } = await opened(t)
  const ids = [database.ids.generate(), database.ids.generate()] as const
  const account = { provider: 'idp', subject: 'ann' }
  await people.insert([{ ...person, id: ids[0], accounts: [account] }])
  const other = { ...person, id: ids[1], mail: 'bob@example.org' }
  const refused = { code: 'SVC_ORM_UNIQUE', entity: 'person' }
  await t.rejects(people.insert([{ ...person, id: ids[1] }]), { ...refused, fields: ['mail'] })
  await t.rejects(people.insert([{ ...other, id: ids[0] }]), { ...refused, fields: ['id'] })
  await t.rejects(people.insert([{ ...other, accounts: [account] }]), { ...refused, fields: ['accounts'] })
  await t.rejects(people.put({ ...person, id: ids[1] }), refused)
  await t.rejects(people.insertNew([{ ...person, id: ids[1] }]), refused, 'another unique column is no known row')
  t.equal(await people.count({}), 1)
  t.equal(await people.insertNew([{ ...person, id: ids[0] }, other, other]), 1)
})

t.test('where only a key can be refused, rows are one command, and a refused one takes the others back', async (t) => {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri, debug: true })
  const logs = new DocumentDatabase(connection).table<{ id: string; text: string }>({
    name: 'app_log',
    columns: [
      { name: 'id', type: 'id' },
      { name: 'text', type: 'text' }
    ]
  })
  await connection.open()
  const commands: string[] = []
  connection.client.on('commandStarted', ({ commandName }) => commands.push(commandName))
  const rows = Array.from({ length: 20 }, () => ({ id: new ObjectId().toHexString(), text: 'x' }))
  await logs.insert(rows)
  t.strictSame(commands, ['insert'], 'no transaction')
  const row = () => ({ id: new ObjectId().toHexString(), text: 'y' })
  const known = { id: rows[7]?.id ?? '', text: 'y' }
  for (const refused of [
    [row(), row(), known, row()],
    [known, row()]
  ]) {
    await t.rejects(logs.insert(refused), { code: 'SVC_ORM_UNIQUE', fields: ['id'] })
  }
  t.strictSame(await logs.find({}), rows, 'all or none')
})

t.test('inside a transaction a known key or a guard refuses without ending it', async (t) => {
  const { people, database } = await opened(t)
  const [id, other] = [database.ids.generate(), database.ids.generate()]
  await people.insert([{ ...person, id, score: 5 }])
  await database.transaction(async (tx) => {
    const inside = people.within(tx)
    t.equal(await inside.put({ ...person, id, score: 9 }, { guard: { score: atMost(1) } }), null)
    t.match(await inside.put({ ...person, id, score: 6 }, { guard: { score: atMost(5) } }), { score: 6 })
    const added = { ...person, id: other, mail: 'new' }
    t.equal(await inside.insertNew([{ ...person, id }, added, added]), 1)
  })
  t.strictSame([await people.count({}), (await people.findOne({ id }))?.score], [2, 6])
})

t.test('nothing to change is no statement', async (t) => {
  const { people, database } = await opened(t)
  const id = database.ids.generate()
  await people.insert([{ ...person, id }])
  await people.insert([])
  t.equal(await people.update({ id }, {}), 1)
  t.match(await people.updateOne({ id }, { set: {} }), { id })
})

t.test('without native models: rows as ever, no index, no listing in an order', async (t) => {
  const { people, database, collection, connection } = await opened(t, false)
  const id = database.ids.generate()
  const account = { provider: 'idp', subject: 'ann' }
  await people.insert([{ ...person, id, accounts: [account] }])
  t.match(await people.findOne({ accounts: holdingItem(account) }), { id })
  t.equal((await people.find({})).length, 1)
  await t.rejects(people.find({}, { order: [{ field: 'id', direction: 'ASC' }] }), {
    code: 'SVC_DOCDB_NO_NATIVE_MODEL',
    statusCode: 501
  })
  t.strictSame(connection.mongoose.modelNames(), [])
  t.strictSame(
    (await collection.indexes()).map(({ name }) => name),
    ['_id_']
  )
})

function shown({
  name,
  key,
  unique,
  partialFilterExpression: where
}: IndexDescriptionInfo): Document & { name: string } {
  return { name: name ?? '', key: Object.entries(key), ...(unique === true && { unique }), ...(where && { where }) }
}
