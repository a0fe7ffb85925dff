/**
 * A suite that no scope can fail proves nothing: each of these loses the condition of the scope in one place, and the
 * suite finds it. Its places are the methods of the table itself, so that a new one has to be found as well.
 */
import { type Condition, type Database, type Merge, memoryDatabase, mergeInSteps, type Step } from 'svc-stores/table'
import t from 'tap'
import { compareScopes } from '../../src/conformance/compare-scopes.ts'
import { scopeConformance } from '../../src/conformance/scope-conformance.ts'
import type { CompiledEntity } from '../../src/entities/compiled-entity.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'
import { ScopedTable } from '../../src/scope/scoped-table.ts'
import { changed, type Rows } from '../support/changed-table.ts'
import { scopedOperations } from '../support/scoped-operations.ts'

const isScope = (condition: Condition) => 'field' in condition && condition.field === 'organizationId'

/** Without the conditions of the scope, at any depth. */
function open(conditions: unknown): never {
  const kept = (conditions as readonly Condition[]).filter((condition) => !isScope(condition))
  return kept.map((condition) => {
    if (condition.operator === 'any') return { ...condition, of: condition.of.map(open) }
    return 'of' in condition ? { ...condition, of: open(condition.of) } : condition
  }) as never
}

/** Only where another table is asked. */
function openRelated(conditions: unknown): never {
  return (conditions as readonly Condition[]).map((condition) => {
    if (condition.operator === 'any') return { ...condition, of: condition.of.map(openRelated) }
    if (condition.operator === 'not') return { ...condition, of: openRelated(condition.of) }
    return condition.operator === 'related' ? { ...condition, of: open(condition.of) } : condition
  }) as never
}

/** Only where a walk is asked. */
function openWalks(conditions: unknown): never {
  return (conditions as readonly Condition[]).map((condition) => {
    return condition.operator === 'tree' ? { ...condition, of: open(condition.of) } : condition
  }) as never
}

type Method = keyof Rows & ('find' | 'findOne' | 'count' | 'exists' | 'counts' | 'group' | 'update' | 'updateOne')
type Reads = Method | 'delete' | 'deleteOne' | 'claim'

/** The methods whose first argument says which rows they take. */
const READS: readonly Reads[] = [
  'find',
  'findOne',
  'count',
  'exists',
  'counts',
  'group',
  'update',
  'updateOne',
  'delete',
  'deleteOne',
  'claim'
]

function without(name: Reads, drop: (conditions: unknown) => never) {
  return (table: Rows): Rows => {
    const call = table[name].bind(table) as (...given: unknown[]) => unknown
    const faulty = changed(table, {
      [name]: (where: unknown, ...rest: unknown[]) => call(drop(where), ...rest),
      within: (tx) => without(name, drop)(table.within(tx))
    })
    return faulty
  }
}

const stampless = (name: 'insert' | 'insertNew' | 'insertIfAbsent' | 'put') => (table: Rows) => {
  const call = table[name].bind(table) as (...given: unknown[]) => unknown
  const foreign = <Given>(row: Given): Given =>
    Array.isArray(row)
      ? (row.map(foreign) as Given)
      : { ...row, ...('organizationId' in (row as object) && { organizationId: 'c' }) }
  return changed(table, { [name]: (rows: unknown, ...rest: unknown[]) => call(foreign(rows), ...rest) })
}

function mergingWith(table: Rows, change: (merge: Merge<AnyRow>) => Merge<AnyRow>): Rows {
  return changed(table, {
    merge: (rows, merge) => mergeInSteps(table, rows, change(merge)),
    within: (tx) => mergingWith(table.within(tx), change)
  })
}

function unfenced({ field, table, column, unless }: Step): Step {
  return { field, table, column, ...(unless !== undefined && { unless }) }
}

/** As if it had not been looked at. */
const asOwn = (row: AnyRow | null) => row && { ...row, ...('organizationId' in row && { organizationId: 'b' }) }

const FAULTS: readonly (readonly [name: string, spoil: (table: Rows) => Rows])[] = [
  ...READS.map((name) => [name, without(name, open)] as const),
  ...(['insert', 'insertNew', 'insertIfAbsent', 'put'] as const).map((name) => [name, stampless(name)] as const),
  [
    'a row that its id names',
    (table) => changed(table, { findOne: async (where) => asOwn(await table.findOne(where)) })
  ],
  ['relations of find', without('find', openRelated)],
  ['relations of count', without('count', openRelated)],
  ['walks of find', without('find', openWalks)],
  [
    'relations of measures',
    (table) =>
      changed(table, {
        group: (where, grouping) => {
          const measures = Object.entries(grouping.measures).map(([name, measure]) => [
            name,
            measure.where === undefined ? measure : { ...measure, where: openRelated(measure.where) }
          ])
          return table.group(where, { ...grouping, measures: Object.fromEntries(measures) })
        }
      })
  ],
  [
    'a row that stands in another scope',
    (table) =>
      changed(table, {
        insertIfAbsent: async (row, columns) => ({
          ...(await table.insertIfAbsent(row, columns)),
          organizationId: row.organizationId
        })
      })
  ],
  ['merge', (table) => mergingWith(table, ({ guard = [], ...merge }) => ({ ...merge, guard: open(guard) }))],
  [
    'rows that references of groups lead to',
    (table) =>
      changed(table, {
        group: (where, grouping) => {
          const reached = Object.entries(grouping.reached ?? {}).map(([name, by]) => {
            return [name, { ...by, steps: by.steps.map(unfenced) }]
          })
          return table.group(where, {
            ...grouping,
            ...(reached.length > 0 && { reached: Object.fromEntries(reached) })
          })
        }
      })
  ],
  ['a guard of another scope', (table) => changed(table, { put: (row) => table.put(row) })]
]

function openWith(spoil: (table: Rows) => Rows, change: (opened: EntityRepositories) => void = () => undefined) {
  return (entities: readonly CompiledEntity[]): EntityRepositories => {
    const database = memoryDatabase()
    const inner = database.table.bind(database)
    const spoiled = new Map<unknown, Rows>()
    database.table = ((plan) => {
      const table = spoiled.get(plan) ?? spoil(inner(plan))
      spoiled.set(plan, table)
      return table
    }) as Database['table']
    const opened = new EntityRepositories({ database, entities })
    change(opened)
    return opened
  }
}

async function failures(opened: ReturnType<typeof openWith>): Promise<readonly string[]> {
  const failed: string[] = []
  const test = async (title: string, body: () => unknown) => {
    try {
      await body()
    } catch {
      failed.push(title)
    }
  }
  await scopeConformance({ test }, { open: opened })
  await scopedOperations({ test }, opened)
  return failed
}

t.test('every method of the table is among the faults', async (t) => {
  const methods = Object.getOwnPropertyNames(ScopedTable.prototype)
  const found = FAULTS.map(([name]) => name)
  t.strictSame(
    methods.filter((name) => !['constructor', 'within'].includes(name) && !found.includes(name)),
    []
  )
})

t.test('each fault fails the suite, and none is found without', { timeout: 120_000 }, async (t) => {
  t.strictSame(await failures(openWith((table) => table)), [])
  for (const [name, spoil] of FAULTS) t.not((await failures(openWith(spoil))).length, 0, name)
})

t.test('a walk that leaves its scopes is found', async (t) => {
  const loose = (opened: EntityRepositories) => {
    opened.scopes.held = () => (work) => work()
  }
  t.not((await failures(openWith((table) => table, loose))).length, 0)
})

t.test(
  'random questions find a condition that is lost, and nothing on the whole table',
  { timeout: 120_000 },
  async (t) => {
    await compareScopes({ open: openWith((table) => table) })
    // They end where they find it: the number is only so large that chance never misses it.
    for (const name of ['find', 'count', 'group', 'update', 'delete'] as const)
      await t.rejects(compareScopes({ open: openWith(without(name, open)) }, { runs: 300 }), name)
    await t.rejects(compareScopes({ open: openWith(without('find', openRelated)) }, { runs: 300 }))
  }
)
