/** Cases of the port: references within a scope, for a database that keeps them itself. */
import assert from 'node:assert/strict'
import type { Database } from '../table/database.ts'
import type { TablePlan } from '../table/table-plan.ts'
import type { TableCases } from './table-fixtures.ts'

interface Desk {
  readonly id: string
  readonly site: string
}

interface Lamp extends Desk {
  readonly deskId: string | null
  readonly twinId: string | null
}

const id = { name: 'id', type: 'id' } as const
const site = { name: 'site', type: 'text' } as const
const named = { columns: ['site', 'id'], unique: true, on: 'sql' } as const

const deskPlan: TablePlan = { name: 'suite_desk', collection: 'SuiteDesk', columns: [id, site], indexes: [named] }

const lampPlan: TablePlan = {
  name: 'suite_lamp',
  collection: 'SuiteLamp',
  record: 'lamp',
  columns: [id, site, { name: 'deskId', type: 'id', nullable: true }, { name: 'twinId', type: 'id', nullable: true }],
  indexes: [named],
  references: [
    { column: 'deskId', relation: 'desk', table: 'suite_desk', key: 'id', within: 'site', onDelete: 'cascade' },
    {
      column: 'twinId',
      relation: 'twin',
      table: 'suite_lamp',
      key: 'id',
      within: 'site',
      onDelete: 'restrict',
      deferrable: true
    }
  ]
}

export const scopedReferencePlans: readonly TablePlan[] = [deskPlan, lampPlan]

async function emptied(database: Database) {
  const desks = database.table<Desk>(deskPlan)
  const lamps = database.table<Lamp>(lampPlan)
  await lamps.delete({})
  await desks.delete({})
  const newId = () => database.ids.generate()
  const [north, south] = [
    { id: newId(), site: 'north' },
    { id: newId(), site: 'south' }
  ]
  await desks.insert([north, south])
  const lamp = (values: Partial<Lamp> = {}): Lamp => ({
    ...{ id: newId(), site: 'north', deskId: north.id, twinId: null },
    ...values
  })
  return { desks, lamps, north, south, lamp, newId }
}

export const scopedReferenceCases: TableCases = {
  'a row names a row of its scope only': async ({ database }) => {
    const { lamps, south, lamp } = await emptied(database)
    const crossing = { code: 'SVC_ORM_REFERENCE_MISSING', entity: 'lamp', field: 'deskId' }
    const lost = () => lamp({ deskId: south.id })
    await assert.rejects(lamps.insert([lamp(), lost()]), crossing)
    await assert.rejects(lamps.insertNew([lost()]), crossing)
    await assert.rejects(lamps.insertIfAbsent(lost(), ['id']), crossing)
    await assert.rejects(lamps.put(lost()), crossing)
    assert.equal(await lamps.count({}), 0)
    const kept = lamp()
    await lamps.insert([kept])
    await assert.rejects(lamps.put({ ...kept, deskId: south.id }), crossing)
    await assert.rejects(lamps.update({}, { set: { deskId: south.id } }), crossing)
    await assert.rejects(lamps.update({}, { set: { site: 'south' } }), crossing)
    await assert.rejects(lamps.updateOne({ id: kept.id }, { set: { deskId: south.id } }), crossing)
    assert.deepEqual(await lamps.find({}), [kept])
    await lamps.update({}, { set: { site: 'south', deskId: south.id } })
    await lamps.update({}, { set: { site: 'north', deskId: null } })
    assert.deepEqual(await lamps.find({}), [{ ...kept, deskId: null }])
  },
  'rows of a scope go with the row that they name': async ({ database }) => {
    const { desks, lamps, north, south, lamp } = await emptied(database)
    const other = lamp({ site: 'south', deskId: south.id })
    await lamps.insert([lamp(), lamp(), other])
    assert.equal(await desks.delete({ id: north.id }), 1)
    assert.deepEqual(await lamps.find({}), [other])
  },
  'a deferrable reference of a scope is checked at the commit': async ({ database }) => {
    const { lamps, lamp, newId } = await emptied(database)
    const twin = newId()
    const crossing = database.transaction(async (tx) => {
      await lamps.within(tx).insert([lamp({ twinId: twin })])
      await lamps.within(tx).insert([lamp({ id: twin, site: 'south', deskId: null })])
    })
    await assert.rejects(crossing, { code: 'SVC_ORM_REFERENCE_MISSING', entity: 'lamp', field: 'twinId' })
    assert.equal(await lamps.count({}), 0)
    await database.transaction(async (tx) => {
      await lamps.within(tx).insert([lamp({ twinId: twin })])
      await lamps.within(tx).insert([lamp({ id: twin })])
    })
    assert.equal(await lamps.count({}), 2)
  }
}
