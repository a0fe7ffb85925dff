/** Cases of the port: references, for a database that keeps them itself. */
import assert from 'node:assert/strict'
import type { Database } from '../table/database.ts'
import type { TablePlan } from '../table/table-plan.ts'
import type { TableCases } from './table-fixtures.ts'

interface Owner {
  readonly id: string
}

interface Part {
  readonly id: string
  readonly ownerId: string | null
  readonly spareId: string | null
  readonly tags: readonly string[]
}

interface Use {
  readonly id: string
  readonly partId: string
}

const id = { name: 'id', type: 'id' } as const

const ownerPlan: TablePlan = { name: 'suite_owner', collection: 'SuiteOwner', record: 'owner', columns: [id] }

const partPlan: TablePlan = {
  name: 'suite_part',
  collection: 'SuitePart',
  record: 'part',
  columns: [
    id,
    { name: 'ownerId', type: 'id', nullable: true },
    { name: 'spareId', type: 'id', nullable: true },
    { name: 'tags', type: 'text', list: true }
  ],
  itemIndexes: [{ column: 'tags', unique: true, table: 'suite_part_tag', columns: ['tag'], owner: 'partId' }],
  references: [
    { column: 'ownerId', relation: 'owner', table: 'suite_owner', key: 'id', onDelete: 'cascade' },
    { column: 'spareId', relation: 'spare', table: 'suite_part', key: 'id', onDelete: 'setNull' }
  ]
}

const usePlan: TablePlan = {
  name: 'suite_use',
  collection: 'SuiteUse',
  record: 'use',
  columns: [id, { name: 'partId', type: 'id' }],
  references: [{ column: 'partId', relation: 'part', table: 'suite_part', key: 'id', onDelete: 'restrict' }]
}

export const referencePlans: readonly TablePlan[] = [ownerPlan, partPlan, usePlan]

async function emptied(database: Database) {
  const owners = database.table<Owner>(ownerPlan)
  const parts = database.table<Part>(partPlan)
  const uses = database.table<Use>(usePlan)
  await uses.delete({})
  await parts.delete({})
  await owners.delete({})
  const newId = () => database.ids.generate()
  const owner = { id: newId() }
  await owners.insert([owner])
  const part = (values: Partial<Part> = {}): Part => ({
    ...{ id: newId(), ownerId: owner.id, spareId: null, tags: [] },
    ...values
  })
  return { owners, parts, uses, owner, part, newId }
}

export const referenceCases: TableCases = {
  'a row is written only where the row that it names is there': async ({ database }) => {
    const { parts, part, newId } = await emptied(database)
    const missing = { code: 'SVC_ORM_REFERENCE_MISSING', entity: 'part', field: 'ownerId' }
    const lost = () => part({ ownerId: newId() })
    await assert.rejects(parts.insert([part(), lost()]), missing)
    await assert.rejects(parts.insertNew([part(), lost()]), missing)
    await assert.rejects(parts.insertIfAbsent(lost(), ['id']), missing)
    await assert.rejects(parts.put(lost()), missing)
    assert.equal(await parts.count({}), 0)
    const kept = part()
    await parts.insert([kept])
    await assert.rejects(parts.put({ ...kept, ownerId: newId() }), missing)
    const change = { set: { ownerId: newId() } }
    await assert.rejects(parts.update({}, change), missing)
    await assert.rejects(parts.updateOne({ id: kept.id }, change), missing)
    await assert.rejects(parts.claim({}, change, 1), missing)
    assert.deepEqual(await parts.find({}), [kept])
    await parts.update({}, { set: { ownerId: null } })
    assert.equal((await parts.findOne({}))?.ownerId, null)
  },
  'a row that another one refers to stays, also where a cascade reaches it': async ({ database }) => {
    const { owners, parts, uses, owner, part, newId } = await emptied(database)
    const held = part()
    await parts.insert([held, part()])
    await uses.insert([{ id: newId(), partId: held.id }])
    const referenced = { code: 'SVC_ORM_REFERENCED', entity: 'use', relation: 'part' }
    await assert.rejects(parts.delete({}), referenced)
    await assert.rejects(parts.deleteOne({ id: held.id }), referenced)
    await assert.rejects(owners.delete({ id: owner.id }), referenced)
    assert.deepEqual([await owners.count({}), await parts.count({}), await uses.count({})], [1, 2, 1])
    await uses.delete({})
    assert.equal(await owners.delete({ id: owner.id }), 1)
    assert.deepEqual([await owners.count({}), await parts.count({})], [0, 0])
  },
  'the items of rows go with them by a cascade': async ({ database }) => {
    const { owners, parts, owner, part, newId } = await emptied(database)
    await parts.insert([part({ tags: ['a', 'b'] }), part({ tags: ['c'] })])
    await owners.delete({ id: owner.id })
    await owners.insert([{ id: newId() }, owner])
    const again = part({ tags: ['a', 'c'] })
    await parts.insert([again])
    assert.deepEqual(await parts.find([{ field: 'tags', operator: 'has', values: ['a'], orNull: false }]), [again])
    assert.deepEqual(await parts.find([{ field: 'tags', operator: 'has', values: ['b'], orNull: false }]), [])
  },
  'setNull, of a row that names itself as well': async ({ database }) => {
    const { parts, part, newId } = await emptied(database)
    const spare = part()
    const itself = newId()
    await parts.insert([spare, part({ spareId: spare.id }), part({ id: itself, spareId: itself })])
    assert.equal(await parts.delete({ id: spare.id }), 1)
    assert.equal(await parts.delete({ id: itself }), 1)
    assert.deepEqual(
      (await parts.find({})).map(({ spareId }) => spareId),
      [null]
    )
  },
  'a transaction that is undone brings back what went with its rows': async ({ database }) => {
    const { owners, parts, owner, part } = await emptied(database)
    await parts.insert([part()])
    const undone = database.transaction(async (tx) => {
      await owners.within(tx).delete({ id: owner.id })
      assert.equal(await parts.within(tx).count({}), 0)
      throw new Error('undo')
    })
    await assert.rejects(undone, /undo/)
    assert.equal(await parts.count({}), 1)
    await database.transaction(async (tx) => {
      await owners.within(tx).delete({})
    })
    assert.equal(await parts.count({}), 0)
  }
}
