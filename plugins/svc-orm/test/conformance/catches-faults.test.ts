/**
 * A suite that no driver can fail proves nothing: each of these drivers has one fault, and the suite finds it.
 * In the long run: the suite runs once for each fault.
 */
import { setImmediate } from 'node:timers/promises'
import { type Condition, type Database, memoryDatabase, rowMatcher } from 'svc-stores/table'
import t from 'tap'
import { compareWithReference } from '../../src/conformance/compare-with-reference.ts'
import { ormConformance } from '../../src/conformance/index.ts'
import type { CompiledEntity } from '../../src/entities/compiled-entity.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'
import { changed, type Rows } from '../support/changed-table.ts'

/** Puts other tables before those in memory. */
function openWith(spoil: (table: Rows) => Rows) {
  return (entities: readonly CompiledEntity[]): EntityRepositories => {
    const database = memoryDatabase()
    const inner = database.table.bind(database)
    database.table = ((plan) => spoil(inner<AnyRow>(plan))) as Database['table']
    return new EntityRepositories({ database, entities })
  }
}

/** As SQL would have it without care: a comparison with null is never true. */
const nullIsUnknown = (table: Rows) =>
  changed(table, {
    find: async (where, { limit, offset: _, ...selection } = {}) => {
      const rows = await table.find(where, selection)
      const unknown = (where as readonly Condition[]).filter(({ operator }) => operator === 'ne' || operator === 'nin')
      return rows
        .filter((row) => unknown.every((each) => !('field' in each) || row[each.field] !== null))
        .slice(0, limit)
    }
  })

const foldsCase = (table: Rows) =>
  changed(table, {
    count: async (where) => {
      const rows = await table.find({})
      const folded = (where as readonly Condition[]).map(
        (each): Condition =>
          each.operator === 'eq' && typeof each.value === 'string' && each.field === 'label'
            ? { ...each, value: each.value.toLowerCase() }
            : each
      )
      const matches = rowMatcher(folded)
      return rows.filter((row) =>
        matches({ ...row, label: typeof row.label === 'string' ? row.label.toLowerCase() : null })
      ).length
    }
  })

const sortsByUtf16 = (table: Rows) =>
  changed(table, {
    find: async (where, selection = {}) => {
      const rows = await table.find(where, selection)
      const { order = [] } = selection
      const [key] = order
      if (key?.field !== 'label' || order.length > 2) return rows
      const text = (value: unknown) => (typeof value === 'string' ? `1${value}` : '0')
      const sign = key.direction === 'ASC' ? 1 : -1
      return rows.sort((a, b) => (text(a.label) < text(b.label) ? -sign : text(a.label) > text(b.label) ? sign : 0))
    }
  })

const readsThenWrites = (table: Rows) =>
  changed(table, {
    updateOne: async (where, { add = {}, ...change }) => {
      const row = await table.findOne(where)
      await setImmediate()
      const sums = Object.entries(add).map(([name, delta]) => [name, Number(row?.[name] ?? 0) + Number(delta)])
      return table.updateOne(where, { ...change, set: { ...change.set, ...Object.fromEntries(sums) } })
    }
  })

const looksBeforeItLeaps = (table: Rows) =>
  changed(table, {
    insertIfAbsent: async (row, columns) => {
      const conditions = columns.map((field): Condition => ({ field, operator: 'eq', value: String(row[field]) }))
      const standing = await table.findOne(conditions)
      if (standing !== null) return standing
      await setImmediate()
      await table.insert([row])
      return row
    }
  })

const staysOutside = (table: Rows): Rows => changed(table, { within: () => staysOutside(table) })

const FAULTS: readonly (readonly [name: string, open: ReturnType<typeof openWith>, found: RegExp])[] = [
  ['null is unknown', openWith(nullIsUnknown), /each criterion finds what it says/],
  ['case is folded', openWith(foldsCase), /each criterion finds what it says/],
  ['text sorts by UTF-16', openWith(sortsByUtf16), /values sort by their kind/],
  ['increment reads, then writes', openWith(readsThenWrites), /a hundred increments at once/],
  ['upsert looks, then inserts', openWith(looksBeforeItLeaps), /fifty upserts of one key/],
  ['a transaction that is none', openWith(staysOutside), /what rejects is undone whole/]
]

t.test('each fault fails its case', async (t) => {
  for (const [name, open, found] of FAULTS) {
    const failed: string[] = []
    const runner = {
      test: async (title: string, body: () => Promise<void>) => {
        await body().catch(() => failed.push(title))
      }
    }
    await ormConformance(runner, { open })
    t.ok(
      failed.some((title) => found.test(title)),
      `${name}: ${failed.join('; ')}`
    )
  }
})

t.test('the comparison finds what reads differently, and nothing on the reference itself', async (t) => {
  await compareWithReference({ open: openWith((table) => table) })
  // They end where they find it: the number is only so large that chance never misses it.
  await t.rejects(compareWithReference({ open: openWith(nullIsUnknown) }, { runs: 2_000 }))
  await t.rejects(compareWithReference({ open: openWith(sortsByUtf16) }, { runs: 2_000 }))
})
