/** Cases of the port: walks through trees, circles among them. */
import assert from 'node:assert/strict'
import type { Condition, TreeCondition } from '../table/condition.ts'
import type { Database } from '../table/database.ts'
import type { TablePlan } from '../table/table-plan.ts'
import { columnOfRows, type TableCases } from './table-fixtures.ts'

interface Place {
  readonly id: string
  readonly name: string
  readonly aboveId: string | null
}

interface Stay {
  readonly id: string
  readonly placeId: string | null
}

const placePlan: TablePlan = {
  name: 'suite_place',
  collection: 'SuitePlace',
  record: 'place',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'text' },
    { name: 'aboveId', type: 'id', nullable: true }
  ],
  indexes: [{ columns: ['aboveId', 'id'] }]
}

const stayPlan: TablePlan = {
  name: 'suite_stay',
  collection: 'SuiteStay',
  record: 'stay',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'placeId', type: 'id', nullable: true }
  ]
}

export const treePlans: readonly TablePlan[] = [placePlan, stayPlan]

/**
 * `root` above `left` and `right`, `left` above `leaf`, `leaf` above `last`; `alone`; and a circle of `one` and `two`, which
 * is above `three`.
 */
const ABOVE: Readonly<Record<string, string | null>> = {
  ...{ root: null, left: 'root', right: 'root', leaf: 'left', last: 'leaf', alone: null },
  ...{ one: 'two', two: 'one', three: 'two' }
}

async function planted(database: Database) {
  const places = database.table<Place>(placePlan)
  const stays = database.table<Stay>(stayPlan)
  await places.delete({})
  await stays.delete({})
  const ids = Object.fromEntries(Object.keys(ABOVE).map((name) => [name, database.ids.generate()]))
  const idOf = (name: string) => ids[name] as string
  const rows = Object.entries(ABOVE).map(([name, above]) => ({
    ...{ id: idOf(name), name },
    aboveId: above === null ? null : idOf(above)
  }))
  await places.insert(rows)
  const staying = ['left', 'last', 'alone', 'three'].map((name) => ({
    id: database.ids.generate(),
    placeId: idOf(name)
  }))
  await stays.insert([...staying, { id: database.ids.generate(), placeId: null }])
  const found = async (conditions: readonly Condition[]) => {
    const found = await places.find(conditions, { order: [{ field: 'name', direction: 'ASC' }] })
    return columnOfRows(found, 'name').join(' ')
  }
  return { places, stays, idOf, found }
}

function named(...names: string[]): readonly Condition[] {
  return [{ field: 'name', operator: 'in', values: names, orNull: false }]
}

function walk(direction: 'down' | 'up', from: string[], more: Partial<TreeCondition> = {}): TreeCondition {
  const tree = { table: placePlan, key: 'id', parent: 'aboveId' }
  return { operator: 'tree', field: 'id', ...tree, direction, from: named(...from), of: [], ...more }
}

export const treeCases: TableCases = {
  'a walk finds rows and those below or above them, to a number of levels': async ({ database }) => {
    const { found } = await planted(database)
    assert.equal(await found([walk('down', ['root'])]), 'last leaf left right root')
    assert.equal(await found([walk('down', ['root'], { levels: 0 })]), 'root')
    assert.equal(await found([walk('down', ['root'], { levels: 2 })]), 'leaf left right root')
    assert.equal(await found([walk('down', ['leaf', 'alone'])]), 'alone last leaf')
    assert.equal(await found([walk('down', ['root', 'leaf'], { levels: 1 })]), 'last leaf left right root')
    assert.equal(await found([walk('up', ['last'])]), 'last leaf left root')
    assert.equal(await found([walk('up', ['last'], { levels: 1 })]), 'last leaf')
    assert.equal(await found([walk('up', ['right', 'leaf'])]), 'leaf left right root')
    assert.equal(await found([walk('down', ['nowhere'])]), '')
  },
  'a circle ends a walk': async ({ database }) => {
    const { found } = await planted(database)
    assert.equal(await found([walk('down', ['one'])]), 'one three two')
    assert.equal(await found([walk('up', ['three'])]), 'one three two')
    assert.equal(await found([walk('down', ['two'], { levels: 1 })]), 'one three two')
    assert.equal(await found([walk('up', ['two'], { levels: 50 })]), 'one two')
  },
  'a walk does not cross rows that it may not': async ({ database }) => {
    const { found } = await planted(database)
    const of: readonly Condition[] = [{ field: 'name', operator: 'nin', values: ['left'], orNull: false }]
    assert.equal(await found([walk('down', ['root'], { of })]), 'right root')
    assert.equal(await found([walk('down', ['left'], { of })]), '')
    assert.equal(await found([walk('up', ['last'], { of })]), 'last leaf')
    assert.equal(await found([walk('up', ['last'], { of, levels: 3 })]), 'last leaf')
  },
  'walks stand beside other conditions, and within them': async ({ database }) => {
    const { found } = await planted(database)
    const [below, above] = [walk('down', ['left']), walk('up', ['leaf'])]
    assert.equal(await found([below, above]), 'leaf left')
    assert.equal(await found([below, { operator: 'not', of: [above] }]), 'last')
    assert.equal(await found([{ operator: 'any', of: [[walk('down', ['alone'])], named('right')] }]), 'alone right')
    assert.equal(await found([walk('down', [], { from: [walk('up', ['leaf'], { levels: 1 })] })]), 'last leaf left')
    const isRoot: Condition = { field: 'aboveId', operator: 'null', value: true }
    const under: Condition = {
      ...{ operator: 'related', field: 'aboveId', table: placePlan, column: 'id' },
      of: [walk('down', ['left'], { from: named('left') })]
    }
    assert.equal(await found([under]), 'last leaf')
    assert.equal(await found([walk('down', [], { from: [isRoot], levels: 1 })]), 'alone left right root')
  },
  'rows of another table are found by a walk': async ({ database }) => {
    const { stays } = await planted(database)
    const placed = { field: 'placeId' }
    assert.equal(await stays.count([walk('down', ['root'], placed)]), 2)
    assert.equal(await stays.count([walk('up', ['last'], placed)]), 2)
    assert.equal(await stays.count([walk('down', ['one'], placed)]), 1)
    // No place is within none.
    assert.equal(await stays.count([{ operator: 'not', of: [walk('down', ['root'], placed)] }]), 3)
    assert.equal(await stays.exists([walk('down', ['right'], placed)]), false)
  },
  'rows that a walk finds are counted, grouped, changed and deleted': async ({ database }) => {
    const { places, found } = await planted(database)
    const below = walk('down', ['left'])
    assert.deepEqual(await places.counts([walk('down', ['root'])], { left: [below] }), { total: 5, left: 3 })
    const groups = await places.group([below], { by: ['name'], measures: { rows: { of: 'count' } } })
    assert.deepEqual(groups.map(({ name }) => name).sort(), ['last', 'leaf', 'left'])
    assert.equal(await places.update([below], { set: { name: 'moved' } }), 3)
    assert.equal(await found([walk('down', ['root'])]), 'moved moved moved right root')
    assert.equal(await places.delete([walk('down', ['moved'])]), 3)
    assert.equal(await found([walk('down', ['root'])]), 'right root')
    assert.equal((await places.updateOne([walk('up', ['right'])], { set: { name: 'first' } }))?.name, 'first')
  }
}

export const treeInTransactionCases: TableCases = {
  'a walk sees what its transaction has written, and locks what it finds': async ({ database }) => {
    const { places, idOf } = await planted(database)
    await database.transaction(async (tx) => {
      const inside = places.within(tx)
      await inside.updateOne({ id: idOf('right') }, { set: { aboveId: idOf('last') } })
      const path = await inside.find([walk('up', ['right'])], { lock: 'update' })
      assert.deepEqual(columnOfRows(path, 'name').sort(), ['last', 'leaf', 'left', 'right', 'root'])
    })
    assert.equal(await places.count([walk('down', ['leaf'])]), 3)
  }
}
