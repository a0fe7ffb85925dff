/** References that are kept: what a deletion does, and what a write may name. */
import assert from 'node:assert/strict'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

export const MISSING = 'SVC_ORM_REFERENCE_MISSING'
export const REFERENCED = 'SVC_ORM_REFERENCED'

const CIRCLE = 3

export async function seed({ repository }: CaseContext) {
  const ada = await repository('Customer').create({ name: 'Ada' })
  const first = await repository('Purchase').create({ name: 'first', customerId: ada.id })
  const second = await repository('Purchase').create({ name: 'second', customerId: ada.id })
  await repository('PurchaseLine').createMany([
    { name: 'a', purchaseId: first.id },
    { name: 'b', purchaseId: first.id },
    { name: 'c', purchaseId: second.id }
  ])
  return { ada, first, second }
}

export async function names(repository: Repository): Promise<unknown[]> {
  return column(await repository.find({}, { order: [['name', 'ASC']] }), 'name').sort()
}

/** An id that no row has. */
export const nobody = ({ connector }: CaseContext): string => connector.ids.generate()

export const referenceCases: Cases = {
  'restrict: a row that others refer to stays, and the error names them': async (context) => {
    const { repository } = context
    const { ada, first } = await seed(context)
    await assert.rejects(() => repository('Customer').deleteOne({ id: ada.id }), {
      code: REFERENCED,
      statusCode: 409,
      entity: 'Purchase',
      relation: 'customer'
    })
    await refused(() => repository('Customer').delete({}), REFERENCED, 409)
    assert.deepEqual(await names(repository('Customer')), ['Ada'])
    await repository('Purchase').delete({})
    assert.equal(await repository('Customer').delete({}), 1)
    assert.equal(await repository('Purchase').findOne({ id: first.id }), null)
  },
  'cascade: the rows of the row go with it, others stay': async (context) => {
    const { repository } = context
    const { first } = await seed(context)
    assert.equal(await repository('Purchase').deleteOne({ id: first.id }), true)
    assert.deepEqual(await names(repository('PurchaseLine')), ['c'])
    assert.equal((await repository('Purchase').findOneAndDelete({ name: 'second' }))?.name, 'second')
    assert.equal(await repository('PurchaseLine').count(), 0)
  },
  'setNull: the reference goes, the row stays; a version counts it': async (context) => {
    const { repository } = context
    const { first, second } = await seed(context)
    await repository('Remark').createMany([
      { name: 'x', purchaseId: first.id },
      { name: 'y', purchaseId: second.id }
    ])
    await repository('Receipt').create({ name: 'r', purchaseId: first.id })
    assert.equal(await repository('Purchase').delete({ id: first.id }), 1)
    const remarks = await repository('Remark').find({}, { order: [['name', 'ASC']] })
    assert.deepEqual(column(remarks, 'purchaseId'), [null, second.id])
    const receipt = await repository('Receipt').findOne({ name: 'r' })
    assert.deepEqual([receipt?.purchaseId, receipt?.version], [null, 2])
  },
  'none: the reference may name a missing row': async (context) => {
    const { repository } = context
    const missing = nobody(context)
    const remark = await repository('Remark').create({ name: 'x', aboutId: missing })
    assert.equal(remark.aboutId, missing)
    const ada = await repository('Customer').create({ name: 'Ada' })
    await repository('Remark').updateOne({ id: remark.id }, { aboutId: ada.id })
    assert.equal(await repository('Customer').deleteOne({ id: ada.id }), true)
    const orphan = await repository('Remark').findOne({ name: 'x' }, { relations: ['about'] })
    assert.deepEqual([orphan?.aboutId, orphan?.about], [ada.id, null])
  },
  'a write names a row that is there': async (context) => {
    const { repository } = context
    const { ada, first } = await seed(context)
    const missing = nobody(context)
    const isMissing = { code: MISSING, statusCode: 400, entity: 'Purchase', field: 'customerId' }
    const purchases = repository('Purchase')
    await assert.rejects(() => purchases.create({ name: 'x', customerId: missing }), isMissing)
    const some = [
      { name: 'x', customerId: ada.id },
      { name: 'y', customerId: missing }
    ]
    await assert.rejects(() => purchases.createMany(some), isMissing)
    await assert.rejects(() => purchases.updateOne({ id: first.id }, { customerId: missing }), isMissing)
    await assert.rejects(() => purchases.updateMany({}, { customerId: missing }), isMissing)
    assert.equal(await purchases.updateMany({ name: 'none' }, { customerId: missing }), 0)
    assert.equal(await purchases.updateOne({ name: 'none' }, { customerId: missing }), null)
    assert.deepEqual(await names(purchases), ['first', 'second'])
    const bob = await repository('Customer').create({ name: 'Bob' })
    assert.equal((await purchases.updateOne({ id: first.id }, { customerId: bob.id }))?.customerId, bob.id)
  },
  'upsert: the new row names a row that is there, an existing row is left alone': async (context) => {
    const { repository } = context
    const missing = nobody(context)
    const receipts = repository('Receipt')
    const id = nobody(context)
    await refused(() => receipts.upsert({ id }, { name: 'x', purchaseId: missing }), MISSING, 400)
    const { first } = await seed(context)
    await receipts.upsert({ id }, { name: 'x', purchaseId: first.id })
    assert.equal((await receipts.upsert({ id }, { name: 'y', purchaseId: missing })).name, 'x')
  },
  'a tree refers to itself: its rows are made together, and go together': async (context) => {
    const branches = context.repository('Branch')
    const [root, twig, leaf] = [nobody(context), nobody(context), nobody(context)]
    await branches.createMany([
      { id: leaf, name: 'leaf', parentId: twig },
      { id: twig, name: 'twig', parentId: root },
      { id: root, name: 'root' }
    ])
    await refused(() => branches.create({ name: 'x', parentId: nobody(context) }), MISSING, 400)
    assert.equal(await branches.deleteOne({ id: root }), true)
    assert.equal(await branches.count(), 0)
    const itself = nobody(context)
    await branches.create({ id: itself, name: 'itself', parentId: itself })
    assert.equal(await branches.delete({ id: itself }), 1)
  },
  'a circle of rows goes as a whole': async (context) => {
    const branches = context.repository('Branch')
    const ids = Array.from({ length: CIRCLE }, () => nobody(context))
    await branches.createMany(ids.map((id, index) => ({ id, name: `${index}`, parentId: ids[(index + 1) % CIRCLE] })))
    assert.equal(await branches.deleteOne({ id: ids[0] as string }), true)
    assert.equal(await branches.count(), 0)
  },
  'deleteOwned: what cascades goes on every level, and is counted': async (context) => {
    const { repository } = context
    const { first } = await seed(context)
    await repository('Remark').create({ name: 'x', purchaseId: first.id })
    const gone = await repository('Purchase').deleteOwned({ id: first.id })
    assert.deepEqual(gone, { Purchase: 1, PurchaseLine: 2 })
    assert.deepEqual(await names(repository('PurchaseLine')), ['c'])
    assert.equal((await repository('Remark').findOne({ name: 'x' }))?.purchaseId, null)
    assert.deepEqual(await repository('Purchase').deleteOwned({ name: 'none' }), {})
    await refused(() => repository('Customer').deleteOwned({}), REFERENCED, 409)
    for (const batchSize of [0, 1.5, 10_001, '5']) {
      await refused(() => repository('Purchase').deleteOwned({}, { batchSize } as never), 'SVC_ORM_OPTIONS', 400)
    }
  },
  'deleteOwned in batches: a deep tree, a wide one, a circle': async (context) => {
    const { repository } = context
    const branches = repository('Branch')
    const chain = Array.from({ length: 9 }, () => nobody(context))
    await branches.createMany(chain.map((id, level) => ({ id, name: 'deep', parentId: chain[level - 1] ?? null })))
    assert.deepEqual(await branches.deleteOwned({ id: chain[0] as string }, { batchSize: 2 }), { Branch: 9 })
    await branches.createMany(chain.map((id, index) => ({ id, name: 'round', parentId: chain[(index + 1) % 9] })))
    assert.deepEqual(await branches.deleteOwned({ id: chain[4] as string }, { batchSize: 2 }), { Branch: 9 })
    const { first } = await seed(context)
    const lines = Array.from({ length: 25 }, (_, index) => ({ name: `line ${index}`, purchaseId: first.id }))
    await repository('PurchaseLine').createMany(lines)
    const gone = await repository('Purchase').deleteOwned({}, { batchSize: 10 })
    assert.deepEqual(gone, { Purchase: 2, PurchaseLine: 28 })
  }
}
