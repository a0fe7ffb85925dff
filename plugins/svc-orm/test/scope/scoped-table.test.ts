/** What a table with a scope asks of the table below it, call by call: each carries the scope of its caller, and no more. */
import { type Condition, type RelatedCondition, type Table, type Transaction, UuidIds } from 'svc-stores/table'
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { defineEntity } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import { UniqueViolation } from '../../src/errors.ts'
import { CallerScopes } from '../../src/scope/caller-scopes.ts'
import { EntityScopes } from '../../src/scope/entity-scopes.ts'
import { ScopedTable } from '../../src/scope/scoped-table.ts'

const Note = defineEntity({
  name: 'Note',
  scope: 'organization',
  schema: { title: { type: 'string', unique: true } },
  relations: { lines: { type: 'one-to-many', target: 'Line', mappedBy: 'note' } }
})
const Line = defineEntity({
  name: 'Line',
  scope: 'organization',
  schema: { text: { type: 'string' } },
  relations: { note: { type: 'many-to-one', target: 'Note' } }
})
const Country = defineEntity({ name: 'Country', schema: { code: { type: 'string', unique: true } } })

const { entities } = compileEntities(
  [Note, Line, Country].map((definition) => ({ definition, place: null })),
  'default'
)
const [note, line, country] = entities.map(entityPlan) as [TablePlanOf, TablePlanOf, TablePlanOf]
type TablePlanOf = ReturnType<typeof entityPlan>

const OWN: Condition = { field: 'organizationId', operator: 'eq', value: 'a' }
const X: Condition = { field: 'title', operator: 'eq', value: 'x' }
const ID: Condition = { field: 'id', operator: 'eq', value: 'i' }

/** Lines that belong to a note: as they are asked for, and as they are found. */
const LINES: RelatedCondition = { operator: 'related', field: 'id', table: line, column: 'noteId', of: [] }
const OWN_LINES = { ...LINES, of: [OWN] }
const BY_NOTE = {
  field: 'title of note',
  direction: 'ASC',
  by: { kind: 'reached', column: 'title', steps: [{ field: 'noteId', table: note, column: 'id' }] }
} as const
const only = { column: 'organizationId', value: 'a' }
const BY_OWN_NOTE = { ...BY_NOTE, by: { ...BY_NOTE.by, steps: [{ ...BY_NOTE.by.steps[0], only }] } }

interface Asked {
  readonly scopes: CallerScopes
  readonly table: ScopedTable
  readonly told: () => readonly unknown[]
}

/** @param answers of the table below, by operation; an error is thrown */
function below(answers: Readonly<Record<string, unknown>> = {}, plan = note, has: readonly string[] = []): Asked {
  const scopes = new CallerScopes()
  const told: unknown[] = []
  const table = new Proxy({ plan } as unknown as Table<AnyRow>, {
    get(target, name: string) {
      if (name === 'plan') return target.plan
      if (name === 'within') return () => table
      if (['merge', 'findHolding', 'joining'].includes(name) && !has.includes(name)) return undefined
      return async (...given: unknown[]) => {
        told.push([name, ...given])
        if (answers[name] instanceof Error) throw answers[name]
        return answers[name] ?? null
      }
    }
  })
  const all = new EntityScopes(entities, scopes)
  return {
    scopes,
    table: new ScopedTable(table, all.of(plan), all, new UuidIds({ now: () => 0 })),
    told: () => told.splice(0)
  }
}

const inA = <T>({ scopes }: Asked, work: () => T): T => scopes.with({ organization: 'a' }, work)
const row = (values: object = {}) => ({ id: 'i', title: 'x', ...values }) as AnyRow
const isOther = (fields: readonly string[]) => ({ code: 'SVC_ORM_UNIQUE', fields })

t.test('what is found, counted, changed and removed is of the scope', async (t) => {
  const asked = below({ count: 2, exists: true, find: [], group: [], counts: {}, update: 1, delete: 1, claim: [] })
  const { table, told } = asked
  const change = { set: { title: 'y' } }
  const order = [{ field: 'title', direction: 'ASC' }] as const
  const calls: readonly (readonly [work: () => unknown, expected: readonly unknown[]])[] = [
    [() => table.find([X]), ['find', [X, OWN], {}]],
    [() => table.find({ title: 'x' }, { limit: 2 }), ['find', [X, OWN], { limit: 2 }]],
    [
      () => table.find([LINES], { order, counted: [{ name: 'n', rows: LINES }] }),
      ['find', [OWN_LINES, OWN], { order, counted: [{ name: 'n', rows: OWN_LINES }] }]
    ],
    [() => table.find([], { order: [BY_NOTE] }), ['find', [OWN], { order: [BY_OWN_NOTE] }]],
    [() => table.findOne([X]), ['findOne', [X, OWN]]],
    [() => table.findOne([LINES]), ['findOne', [OWN_LINES, OWN]]],
    [() => table.count([X, LINES]), ['count', [X, OWN_LINES, OWN]]],
    [() => table.exists([X]), ['exists', [X, OWN]]],
    [() => table.counts([X], { some: [LINES] }), ['counts', [X, OWN], { some: [OWN_LINES] }]],
    [() => table.update([X], change), ['update', [X, OWN], change]],
    [() => table.updateOne([X], change), ['updateOne', [X, OWN], change]],
    [() => table.delete([X], 3), ['delete', [X, OWN], 3]],
    [() => table.deleteOne([X]), ['deleteOne', [X, OWN]]],
    [() => table.claim([X], change, 4, order), ['claim', [X, OWN], change, 4, order]]
  ]
  for (const [work, expected] of calls) {
    await inA(asked, work)
    t.strictSame(told(), [expected], String(expected[0]))
    // `findOne` answers at once where it can, and so it refuses.
    await t.rejects(async () => work(), { code: 'SVC_ORM_NO_SCOPE' }, `${expected[0]} without a scope`)
    t.strictSame(told(), [])
  }
})

t.test('groups: rows, those that a measure counts, and those that references lead to', async (t) => {
  const asked = below({ group: [] }, line)
  const sums = { sum: { of: 'count', where: [{ ...LINES, table: note }] }, all: { of: 'count' } } as const
  const reached = { title: BY_NOTE.by }
  await inA(asked, () => asked.table.group([], { by: ['title'], reached, measures: sums }))
  const grouping = {
    by: ['title'],
    reached: { title: BY_OWN_NOTE.by },
    measures: { sum: { of: 'count', where: [{ ...OWN_LINES, table: note }] }, all: { of: 'count' } }
  }
  t.strictSame(asked.told(), [['group', [OWN], grouping]])
  await inA(asked, () => asked.table.group([], { by: ['text'], measures: {} }))
  t.strictSame(asked.told(), [['group', [OWN], { by: ['text'], measures: {} }]], 'nothing is reached')
})

t.test('a row that its id names is compared with the scope, once', async (t) => {
  const plain = below({ findOne: row({ organizationId: 'a' }) })
  const found = async (asked: Asked, where: readonly Condition[]) => inA(asked, () => asked.table.findOne(where))
  t.match(await found(plain, [ID]), { id: 'i' })
  t.strictSame(plain.told(), [['findOne', [ID]]])
  t.match(await found(plain, [LINES, ID]), { id: 'i' })
  t.strictSame(plain.told(), [['findOne', [OWN_LINES, ID]]])
  const other = below({ findOne: row({ organizationId: 'b' }) })
  t.equal(await found(other, [ID]), null)
  t.match(await other.scopes.across(() => other.table.findOne([ID])), { organizationId: 'b' })
  const across = below({ findOne: row({ organizationId: 'b' }) }, note, ['findHolding'])
  t.match(await across.scopes.across(() => across.table.findOne([ID])), { organizationId: 'b' }, 'holds any scope')
  t.equal(await found(below(), [ID]), null, 'without a row')
  const holding = below({ findHolding: row({ organizationId: 'a' }) }, note, ['findHolding'])
  t.match(await found(holding, [ID]), { id: 'i' })
  await found(holding, [LINES, ID])
  t.strictSame(holding.told(), [
    ['findHolding', [ID], 'organizationId', 'a'],
    ['findHolding', [OWN_LINES, ID], 'organizationId', 'a']
  ])
  const ne: Condition = { field: 'id', operator: 'ne', value: 'i' }
  await found(holding, [ne])
  t.strictSame(holding.told(), [['findOne', [ne, OWN]]], 'an id that is not asked for names no row')
})

t.test('new rows get the scope; a row of another one is refused', async (t) => {
  const asked = below({ insertNew: 1 })
  const writes: readonly ((given: AnyRow) => Promise<unknown>)[] = [
    (given) => asked.table.insert([given]),
    (given) => asked.table.insertNew([given]),
    (given) => asked.table.put(given)
  ]
  for (const write of writes) {
    const given = row()
    await inA(asked, () => write(given))
    t.equal(given.organizationId, 'a')
    t.equal(asked.told().length, 1)
    await inA(asked, () => write(row({ organizationId: 'a' })))
    await t.rejects(
      inA(asked, async () => write(row({ organizationId: 'b' }))),
      { code: 'SVC_ORM_VALUE' }
    )
    await t.rejects(
      asked.scopes.across(async () => write(row())),
      { code: 'SVC_ORM_VALUE' }
    )
    await t.rejects(async () => write(row()), { code: 'SVC_ORM_NO_SCOPE' })
    asked.told()
    const named = row({ organizationId: 'b' })
    await asked.scopes.across(() => write(named))
    t.equal(named.organizationId, 'b')
    asked.told()
  }
})

t.test('what is unique is so within the scope', async (t) => {
  const standing = row({ organizationId: 'a' })
  const asked = below({ insertIfAbsent: standing, put: standing, find: [] }, note, ['merge'])
  const { table, told } = asked
  const given = row({ organizationId: 'a' })
  t.equal(await inA(asked, () => table.insertIfAbsent(row(), ['title'])), standing)
  t.strictSame(told(), [['insertIfAbsent', given, ['organizationId', 'title']]])
  await inA(asked, () => table.insertIfAbsent(row(), ['id']))
  t.strictSame(told(), [['insertIfAbsent', given, ['id']]])
  t.equal(await inA(asked, () => table.put(row(), { by: ['title'], guard: [X] })), standing)
  t.strictSame(told(), [['put', given, { by: ['organizationId', 'title'], guard: [X, OWN] }]])
  await inA(asked, () => table.put(row()))
  t.strictSame(told(), [['put', given, { guard: [OWN] }]])
  const merge = { by: ['title'], take: ['title'], insert: true, guard: [X] }
  await inA(asked, () => table.merge([row()], merge))
  t.strictSame(told(), [['merge', [given], { ...merge, by: ['organizationId', 'title'], guard: [X, OWN] }]])
  await inA(asked, () => table.merge([row()], { ...merge, by: ['id'], insert: false }))
  t.strictSame(told(), [['merge', [row()], { ...merge, by: ['id'], insert: false, guard: [X, OWN] }]], 'is not stamped')
})

t.test('a violation names the fields of the caller', async (t) => {
  const refused = (fields: readonly string[]) => new UniqueViolation('Note', fields)
  const failing = (error: Error) =>
    below({ insert: error, insertIfAbsent: error, put: error, update: error, claim: error })
  const both = failing(refused(['organizationId', 'title']))
  await t.rejects(
    inA(both, () => both.table.insert([row()])),
    isOther(['title'])
  )
  await t.rejects(
    inA(both, () => both.table.update([], { set: { title: 'x' } })),
    isOther(['title'])
  )
  await t.rejects(
    inA(both, () => both.table.claim([], { set: {} }, 1)),
    isOther(['title'])
  )
  const unnamed = failing(refused([]))
  await t.rejects(
    inA(unnamed, () => unnamed.table.insertIfAbsent(row(), ['title'])),
    isOther(['title'])
  )
  await t.rejects(
    inA(unnamed, () => unnamed.table.insert([row()])),
    isOther([])
  )
  const busy = failing(new RangeError('busy'))
  await t.rejects(
    inA(busy, () => busy.table.insert([row()])),
    { name: 'RangeError' },
    'any other error stays'
  )
})

t.test('an id that stands in another scope is refused, and not answered', async (t) => {
  const other = row({ organizationId: 'b' })
  const asked = below({ insertIfAbsent: other, findOne: other })
  await t.rejects(
    inA(asked, () => asked.table.insertIfAbsent(row(), ['id'])),
    isOther(['id'])
  )
  asked.told()
  await t.rejects(
    inA(asked, () => asked.table.put(row(), { by: ['id'] })),
    isOther(['id'])
  )
  t.strictSame(asked.told().at(-1), ['findOne', [ID]])
  t.equal(
    await inA(asked, () => asked.table.put(row(), { by: ['title'] })),
    null,
    'by another key it is refused by the guard'
  )
  t.equal(asked.told().length, 1)
  const put = below({ put: other })
  t.equal(await inA(put, () => put.table.put(row(), { by: ['id'] })), other)
  t.equal(put.told().length, 1, 'what is written is not looked at again')
  const own = below({ findOne: row({ organizationId: 'a' }) })
  t.equal(await inA(own, () => own.table.put(row(), { by: ['id'] })), null, 'a guard of the caller refused')
  const gone = below()
  t.equal(await inA(gone, () => gone.table.put(row(), { by: ['id'] })), null, 'and so it may be gone')
})

t.test('a table without a scope is asked as it is, but for rows of others', async (t) => {
  const asked = below({ find: [], put: row(), insertIfAbsent: row() }, country, ['merge'])
  const { table, told } = asked
  const code: Condition = { field: 'code', operator: 'eq', value: 'x' }
  await table.find([code])
  await table.findOne([ID])
  await table.put(row())
  await table.insertIfAbsent(row(), ['code'])
  await table.merge([row()], { by: ['code'], take: [], insert: true })
  t.strictSame(told(), [
    ['find', [code], {}],
    ['findOne', [ID]],
    ['put', row(), {}],
    ['insertIfAbsent', row(), ['code']],
    ['merge', [row()], { by: ['code'], take: [], insert: true, guard: [] }]
  ])
  await inA(asked, () => table.put(row(), { guard: [LINES], by: ['code'] }))
  t.strictSame(told(), [['put', row(), { guard: [OWN_LINES], by: ['code'] }]])
  const none = below({}, country)
  t.equal(await none.table.put(row(), { by: ['id'], guard: [] }), null)
  t.equal(none.told().length, 1)
  await t.rejects(table.count([LINES]), { code: 'SVC_ORM_NO_SCOPE' })
})

t.test('inside a transaction it is the same table', async (t) => {
  const asked = below({ count: 1 })
  const inner = asked.table.within({} as Transaction)
  await inA(asked, () => inner.count([X]))
  t.strictSame(asked.told(), [['count', [X, OWN]]])
  t.equal(inner.plan, note)
})
