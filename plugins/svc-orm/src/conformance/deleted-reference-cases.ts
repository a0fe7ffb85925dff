/** References to rows that are marked as deleted, and to rows that go for good. */
import assert from 'node:assert/strict'
import { type Cases, refused } from './conformance-suite.ts'
import { REFERENCED } from './reference-cases.ts'

export const deletedReferenceCases: Cases = {
  'a mark: rows that are marked go with it, others stay, restrict counts rows that are there': async (context) => {
    const { repository } = context
    const binder = await repository('Binder').create({ name: 'b' })
    await repository('Sheet').create({ name: 's', binderId: binder.id })
    await repository('Tab').create({ name: 't', binderId: binder.id })
    await repository('Label').create({ name: 'l', binderId: binder.id })
    const loan = await repository('Loan').create({ name: 'o', binderId: binder.id })
    await refused(() => repository('Binder').deleteOne({ id: binder.id }), REFERENCED, 409)
    assert.equal(await repository('Sheet').count(), 1)
    await repository('Loan').deleteOne({ id: loan.id })
    assert.equal(await repository('Binder').deleteOne({ id: binder.id }), true)
    const counts = ['Binder', 'Sheet', 'Tab', 'Label'].map((name) => repository(name).count())
    assert.deepEqual(await Promise.all(counts), [0, 0, 1, 1])
    assert.equal(await repository('Sheet').withDeleted().count(), 1)
    assert.equal((await repository('Label').findOne({}))?.binderId, binder.id)
  },
  'restore: the row alone': async (context) => {
    const { repository } = context
    const binder = await repository('Binder').create({ name: 'b' })
    await repository('Sheet').create({ name: 's', binderId: binder.id })
    await repository('Binder').delete({})
    assert.equal(await repository('Binder').restore({}), 1)
    assert.deepEqual([await repository('Binder').count(), await repository('Sheet').count()], [1, 0])
  },
  'purge: what was marked goes for good, a row that is there refuses it': async (context) => {
    const { repository } = context
    const binder = await repository('Binder').create({ name: 'b' })
    const sheet = await repository('Sheet').create({ name: 's', binderId: binder.id })
    await repository('Tab').create({ name: 't', binderId: binder.id })
    await repository('Label').create({ name: 'l', binderId: binder.id })
    await repository('Binder').delete({})
    await repository('Sheet').restore({ id: sheet.id })
    await refused(() => repository('Binder').purge({}), REFERENCED, 409)
    await repository('Sheet').delete({})
    assert.equal(await repository('Binder').purge({}), 1)
    const left = ['Binder', 'Sheet', 'Tab', 'Label'].map((name) => repository(name).withDeleted().count())
    assert.deepEqual(await Promise.all(left), [0, 0, 0, 1])
    assert.equal((await repository('Label').findOne({}))?.binderId, null)
  },
  'purge: a marked row refuses it where its rule is restrict': async (context) => {
    const { repository } = context
    const binder = await repository('Binder').create({ name: 'b' })
    await repository('Loan').create({ name: 'o', binderId: binder.id })
    await repository('Loan').delete({})
    await repository('Binder').delete({})
    await refused(() => repository('Binder').purge({}), REFERENCED, 409)
    await repository('Loan').purge({})
    assert.equal(await repository('Binder').purge({}), 1)
  },
  'deleteOwned marks, and counts what it marked': async (context) => {
    const { repository } = context
    const binder = await repository('Binder').create({ name: 'b' })
    const sheets = Array.from({ length: 7 }, (_, index) => ({ name: `${index}`, binderId: binder.id }))
    await repository('Sheet').createMany(sheets)
    assert.deepEqual(await repository('Binder').deleteOwned({}, { batchSize: 3 }), { Sheet: 7, Binder: 1 })
    assert.equal(await repository('Sheet').withDeleted().count(), 7)
    assert.deepEqual(await repository('Binder').deleteOwned({}), {})
  }
}
