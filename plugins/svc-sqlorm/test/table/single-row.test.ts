/** Which conditions name one row at most: a table by hand. */
import type { Condition, TablePlan } from 'svc-stores/table'
import t from 'tap'
import { SingleRow } from '../../src/table/single-row.ts'

const PLAN: TablePlan = {
  name: 'seat',
  record: 'Seat',
  key: ['block', 'place'],
  columns: ['block', 'place', 'code', 'state', 'holder'].map((name) => ({ name, type: 'text' })),
  indexes: [
    { columns: ['code'], unique: true },
    {
      columns: ['holder', 'state'],
      unique: true,
      where: [{ field: 'state', operator: 'eq', type: 'text', value: 'held' }]
    },
    { columns: ['state', 'code'] }
  ]
}

const is = (field: string, value = 'x'): Condition => ({ field, operator: 'eq', value })
const above = (field: string): Condition => ({ field, operator: 'gt', value: 'x' })

const CASES: readonly (readonly [name: string, conditions: readonly Condition[], isSingle: boolean])[] = [
  ['nothing', [], false],
  ['a unique column', [is('code')], true],
  ['a unique column, and more', [above('state'), is('code')], true],
  ['a unique column, compared otherwise', [above('code')], false],
  ['the key', [is('block'), is('place')], true],
  ['the key in another order, and more', [is('place'), above('state'), is('block')], true],
  ['a part of the key', [is('block')], false],
  ['a part of the key twice', [is('block'), is('block', 'y')], false],
  ['the key, a part compared otherwise', [is('block'), above('place')], false],
  ['columns of an index that is not unique', [is('state'), is('holder', 'y')], false],
  ['a unique index of some rows, and which', [is('holder'), is('state', 'held')], true],
  ['a unique index of some rows, and others', [is('holder'), is('state', 'free')], false],
  ['the key within alternatives', [{ operator: 'any', of: [[is('block'), is('place')]] }], false]
]

for (const [name, conditions, isSingle] of CASES) {
  t.test(name, async (t) => t.equal(new SingleRow(PLAN).isNamedBy(conditions), isSingle))
}
