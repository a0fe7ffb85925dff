/** What is SQL's own in the tables of the storage port: item tables, folded columns, locks and claims. */
import { sql } from 'kysely'
import {
  above,
  after,
  any,
  atMost,
  containing,
  type Database,
  holding,
  holdingItem,
  isNull,
  lackingItem,
  startingWith,
  type Table,
  type TablePlan
} from 'svc-stores/table'
import t, { type Test } from 'tap'
import type { LiveConnection } from '../../src/connection/live-connection.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { unopenedDatabase } from '../support/open-connector.ts'

interface Account {
  readonly provider: string
  readonly subject: string
  readonly at?: number
}

interface Person {
  readonly id: string
  readonly name: string
  readonly nickname: string | null
  readonly roles: readonly string[]
  readonly accounts: readonly Account[]
  readonly tags: readonly string[]
  readonly marks: readonly Account[] | null
  readonly logins: number
  readonly seenAt: number | null
  readonly metadata: unknown
}

const PERSON: TablePlan = {
  name: 'svc_person',
  record: 'person',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'name', type: 'text' },
    { name: 'nickname', type: 'text', nullable: true, searched: true },
    { name: 'roles', type: 'text', list: true },
    { name: 'accounts', type: 'json', list: true },
    { name: 'tags', type: 'text', list: true },
    { name: 'marks', type: 'json', list: true, nullable: true },
    { name: 'logins', type: 'integer' },
    { name: 'seenAt', type: 'time', nullable: true },
    { name: 'metadata', type: 'document' }
  ],
  indexes: [{ columns: ['name'], unique: true }, { columns: [['logins', 'desc'], 'id'] }],
  itemIndexes: [
    { column: 'roles', table: 'svc_person_role', columns: ['role'], owner: 'personId' },
    {
      column: 'accounts',
      fields: ['subject', 'provider'],
      unique: true,
      table: 'svc_person_account',
      columns: ['subject', 'provider'],
      owner: 'personId'
    }
  ]
}

interface Opened {
  readonly database: Database
  readonly connection: LiveConnection
  readonly people: Table<Person>
}

async function opened(t: Test, url: string): Promise<Opened> {
  const { connection, database } = unopenedDatabase(url)
  const people = database.table<Person>(PERSON)
  await connection.open()
  t.teardown(() => connection.close())
  return { database, connection, people }
}

function person(id: string, values: Partial<Person> = {}): Person {
  const blank = { nickname: null, roles: [], accounts: [], tags: [], marks: null, logins: 0, seenAt: null }
  return { id, name: `name of ${id}`, metadata: { b: 1, a: [null, 'x\u0000'] }, ...blank, ...values }
}

async function itemsOf(connection: LiveConnection, table: string): Promise<unknown[]> {
  const { rows } = await connection.run((db) => sql`select * from ${sql.table(table)} order by 1, 2`.execute(db))
  return rows.map((row) => Object.values(row as object).join(' '))
}

const ids = (rows: readonly Person[]): string[] => rows.map(({ id }) => id)

async function tableTests(t: Test, newUrl: () => Promise<string>): Promise<void> {
  await t.test('rows come back as they went in', async (t) => {
    const { people } = await opened(t, await newUrl())
    const given = person('a', {
      nickname: 'Äsop',
      tags: ['x'],
      marks: [{ provider: 'p', subject: 's', at: 0.1 }],
      seenAt: 7
    })
    await people.insert([given, person('b')])
    t.strictSame(await people.findOne({ id: 'a' }), given)
    t.strictSame(await people.find({}, { without: ['metadata', 'accounts'], limit: 1, offset: 1 }), [
      Object.fromEntries(Object.entries(person('b')).filter(([name]) => name !== 'metadata' && name !== 'accounts'))
    ])
    t.strictSame(
      Object.keys((await people.findOne({ name: 'name of b' })) ?? {}),
      Object.keys(person('b')).sort(byPlan)
    )
  })

  await t.test('some of the rows below a value are those furthest below it', async (t) => {
    const { people } = await opened(t, await newUrl())
    await people.insert(['a', 'b', 'c', 'd'].map((id, index) => person(id, { seenAt: 9 - index })))
    t.equal(await people.delete({ seenAt: atMost(8) }, 2), 2)
    t.strictSame(ids(await people.find({})), ['a', 'b'])
  })

  await t.test('rows are found by the items of their lists, whatever changes them', async (t) => {
    const { people, connection } = await opened(t, await newUrl())
    const account = { provider: 'p', subject: 's', at: 1 }
    await people.insert([
      person('a', { roles: ['X', 'Y', 'X'], accounts: [account] }),
      person('b', { roles: ['Y'], tags: ['t'] })
    ])
    t.strictSame(await itemsOf(connection, 'svc_person_role'), ['X a', 'Y a', 'Y b'])
    t.strictSame(ids(await people.find({ roles: holding('X') })), ['a'])
    t.strictSame(ids(await people.find({ roles: holding('Y', 'Z') })), ['a', 'b'])
    t.strictSame(ids(await people.find({ tags: holding('t', 'u') })), ['b'])
    t.match(await people.findOne({ accounts: holdingItem({ provider: 'p', subject: 's' }) }), { id: 'a' })
    t.equal(await people.findOne({ accounts: holdingItem({ provider: 'p', subject: 'other' }) }), null)
    t.match(await people.findOne({ accounts: holdingItem({ at: 1 }) }), { id: 'a' }, 'by what is not indexed')
    t.strictSame(ids(await people.find({ accounts: lackingItem({ provider: 'p' }) })), ['b'])

    t.equal(await people.update({}, { push: { roles: 'Z' } }), 2)
    t.match(await people.updateOne({ id: 'a' }, { pull: { roles: 'X', accounts: { subject: 's' } } }), {
      roles: ['Y', 'Z'],
      accounts: []
    })
    t.strictSame(await itemsOf(connection, 'svc_person_role'), ['Y a', 'Y b', 'Z a', 'Z b'])
    t.strictSame(await itemsOf(connection, 'svc_person_account'), [])
    t.equal(await people.update({ id: 'a' }, { set: { roles: ['W'] } }), 1)
    t.match(await people.put(person('b', { roles: ['V'], accounts: [account] })), { roles: ['V'], tags: [] })
    t.strictSame(await itemsOf(connection, 'svc_person_role'), ['V b', 'W a'])
    t.equal(await people.insertNew([person('a', { roles: ['no'] }), person('c', { roles: ['U'] })]), 1)
    t.match(await people.claim({ id: 'c' }, { set: { roles: [] } }, 1), [{ id: 'c', roles: [] }])
    t.match(await people.deleteOne({ id: 'a' }), { id: 'a', roles: ['W'] })
    t.strictSame(await itemsOf(connection, 'svc_person_role'), ['V b'])
    t.equal(await people.delete({}), 2)
    t.strictSame(await itemsOf(connection, 'svc_person_role'), [])
    t.strictSame(await itemsOf(connection, 'svc_person_account'), [])
  })

  await t.test('an item of another row is refused by the name of the list, and nothing is written', async (t) => {
    const { people, connection } = await opened(t, await newUrl())
    const account = { provider: 'p', subject: 's' }
    await people.insert([person('a', { accounts: [account] }), person('b')])
    const taken = { code: 'SVC_ORM_UNIQUE', entity: 'person', fields: ['accounts'] }
    await t.rejects(people.insert([person('c', { accounts: [account] })]), taken)
    await t.rejects(people.updateOne({ id: 'b' }, { push: { accounts: account } }), taken)
    await t.rejects(people.put(person('b', { accounts: [account] })), taken)
    t.strictSame(await itemsOf(connection, 'svc_person_account'), ['s p a'])
    t.strictSame(ids(await people.find({})), ['a', 'b'])
    await t.rejects(people.insert([person('d', { name: 'name of a' })]), { ...taken, fields: ['name'] })
    await t.rejects(people.insert([person('a', { name: 'new' })]), { ...taken, fields: ['id'] })
  })

  await t.test('of many that take an item at once, one gets it', async (t) => {
    const { people } = await opened(t, await newUrl())
    const rows = Array.from({ length: 20 }, (_, index) => person(`p${index}`))
    await people.insert(rows)
    const push = { accounts: { provider: 'p', subject: 's' } }
    const outcomes = await Promise.allSettled(rows.map(({ id }) => people.update({ id }, { push })))
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  await t.test('lists outside of an index grow and shrink, null included', async (t) => {
    const { people } = await opened(t, await newUrl())
    const mark = { provider: "it's", subject: '"q"', at: 0.1 }
    await people.insert([person('a')])
    t.match(await people.updateOne({ id: 'a' }, { pull: { marks: { provider: 'p' } } as never }), { marks: null })
    t.match(await people.updateOne({ id: 'a' }, { push: { marks: mark, tags: 'é"\\' } as never }), { marks: [mark] })
    t.match(await people.updateOne({ id: 'a' }, { push: { marks: { ...mark, at: 2 }, tags: 'b' } as never }), {
      tags: ['é"\\', 'b']
    })
    t.strictSame((await people.findOne({ id: 'a' }))?.marks, [mark, { ...mark, at: 2 }])
    t.match(await people.updateOne({ id: 'a' }, { pull: { marks: { at: 0.1 }, tags: 'é"\\' } as never }), {
      marks: [{ ...mark, at: 2 }],
      tags: ['b']
    })
    t.equal(await people.count({ marks: holdingItem({ provider: "it's", subject: '"q"' }) }), 1)
    t.equal(await people.count({ marks: holdingItem({ provider: 'x' }) }), 0)
  })

  await t.test('searches read the folded copy, which follows every write', async (t) => {
    const { people } = await opened(t, await newUrl())
    await people.insert([person('a', { nickname: 'ÄSOP 100%' }), person('b', { nickname: 'a_b*' }), person('c')])
    t.strictSame(ids(await people.find({ nickname: containing('äsop 100%') })), ['a'])
    t.strictSame(ids(await people.find({ nickname: startingWith('A_') })), ['b'])
    t.strictSame(ids(await people.find({ nickname: containing('B*') })), ['b'])
    t.equal(await people.count({ nickname: containing('%') }), 1)
    await people.update({ id: 'c' }, { set: { nickname: 'New' } })
    await people.put(person('a', { nickname: 'Other' }), { keep: ['nickname'] })
    t.strictSame(ids(await people.find({ nickname: startingWith('nEW') })), ['c'])
    t.strictSame(ids(await people.find({ nickname: startingWith('äs') })), ['a'], 'kept')
    const [known] = await people.find({ nickname: startingWith('äs') })
    const name = containing(known?.name.toUpperCase() ?? 'nobody')
    t.ok(ids(await people.find({ name })).includes('a'), 'without a copy the column is folded as it is read')
  })

  await t.test('put: guarded by the row that stands, with columns that are kept or only grow', async (t) => {
    const { people } = await opened(t, await newUrl())
    t.match(await people.put(person('a', { logins: 5 }), { guard: { logins: atMost(0) } }), { logins: 5 }, 'new')
    t.equal(await people.put(person('a', { logins: 6 }), { guard: { logins: atMost(4) } }), null)
    t.match(await people.put(person('a', { logins: 3, seenAt: 9 }), { max: ['logins', 'seenAt'] }), {
      logins: 5,
      seenAt: 9
    })
    t.match(await people.put(person('a', { name: 'new', logins: 1 }), { keep: ['name'] }), {
      name: 'name of a',
      logins: 1
    })
  })

  await t.test('pages after a row, in one direction and in two', async (t) => {
    const { people } = await opened(t, await newUrl())
    await people.insert(Array.from({ length: 9 }, (_, index) => person(`p${index}`, { logins: index % 3 })))
    const orders = [
      [
        ['logins', 'ASC'],
        ['id', 'ASC']
      ],
      [
        ['logins', 'DESC'],
        ['id', 'DESC']
      ],
      [
        ['logins', 'DESC'],
        ['id', 'ASC']
      ],
      [
        ['logins', 'ASC'],
        ['name', 'DESC'],
        ['id', 'ASC']
      ],
      [
        ['logins', 'ASC'],
        ['name', 'DESC'],
        ['id', 'DESC']
      ],
      [['id', 'DESC']]
    ] as const
    for (const keys of orders) {
      const order = keys.map(([field, direction]) => ({ field, direction }))
      const whole = await people.find({}, { order })
      for (const [place, row] of whole.entries()) {
        const rest = await people.find(after(order, row), { order })
        t.strictSame(ids(rest), ids(whole).slice(place + 1))
      }
    }
  })

  await t.test('counts, claims, and deletes of some', async (t) => {
    const { people } = await opened(t, await newUrl())
    await people.insert(
      Array.from({ length: 250 }, (_, index) => person(`p${String(index).padStart(3, '0')}`, { logins: index }))
    )
    t.strictSame(await people.counts({ logins: above(9) }, { few: { logins: atMost(19) }, none: any() }), {
      total: 240,
      few: 10,
      none: 0
    })
    const order = [
      { field: 'logins', direction: 'DESC' },
      { field: 'id', direction: 'ASC' }
    ] as const
    const rounds = await Promise.all(
      Array.from({ length: 10 }, () => people.claim({ seenAt: isNull }, { set: { seenAt: 1 } }, 5, order))
    )
    const claimed = rounds.flat().map(({ id }) => id)
    t.equal(new Set(claimed).size, claimed.length, 'each row goes to one')
    t.equal(await people.count({ seenAt: 1 }), claimed.length)
    t.equal(await people.delete({ logins: atMost(99) }, 30), 30)
    t.equal(await people.count({}), 220)
  })

  await t.test('inside a transaction', async (t) => {
    const { database, people } = await opened(t, await newUrl())
    await database.transaction(async (tx) => {
      const inside = people.within(tx)
      await inside.insert([person('a', { roles: ['X'] })])
      await tx
        .savepoint(async (point) => {
          await people.within(point).delete({})
          throw new Error('undone')
        })
        .catch(() => undefined)
      t.strictSame(ids(await inside.find({ roles: holding('X') }, { lock: 'update' })), ['a'])
    })
    t.equal(await people.count({}), 1)
    const doomed = database.transaction(async (tx) => {
      const inside = people.within(tx)
      await inside.insert([person('b')])
      await inside.insert([person('c', { name: 'name of a' })]).catch(() => undefined)
    })
    await t.rejects(doomed, { code: 'SVC_ORM_UNIQUE', fields: ['name'] }, 'the first failure dooms it')
    t.equal(await people.count({}), 1)
    const other = (await opened(t, await newUrl())).database
    await other.transaction(async (tx) => t.throws(() => people.within(tx), { code: 'SVC_ORM_FOREIGN_TRANSACTION' }))
  })

  await t.test('a plan is declared once, before the connection opens', async (t) => {
    const { database, people } = await opened(t, await newUrl())
    t.equal(database.table(structuredClone(PERSON) as TablePlan), people)
    t.throws(() => database.table({ ...PERSON, columns: [] }), TypeError)
    t.throws(() => database.table({ ...PERSON, name: 'late' }), TypeError)
    t.equal(database.storedAs(PERSON), 'svc_person')
    t.match(await database.health(), { connected: true, connectCount: 1, lastError: null })
    t.equal(database.closing, false)
  })
}

function byPlan(a: string, b: string): number {
  const names = PERSON.columns.map(({ name }) => name)
  return names.indexOf(a) - names.indexOf(b)
}

t.test('SQLite', (t) => tableTests(t, async () => 'sqlite::memory:'))

await onPostgres((t, server) => tableTests(t, () => server.createDatabase()))
