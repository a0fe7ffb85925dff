/** References inside transactions: hooks, refusals, checks at the commit, writers at once. */
import assert from 'node:assert/strict'
import { type Cases, column, refused, Undone, undo } from './conformance-suite.ts'
import { MISSING, names, nobody, REFERENCED, seed } from './reference-cases.ts'

export const referenceInTransactionCases: Cases = {
  'hooks run for rows that go with another': async (context) => {
    const { repository, things } = context
    const { first } = await seed(context)
    const parcel = await repository('Parcel').create({ name: 'p', purchaseId: first.id })
    await repository('ParcelItem').create({ name: 'i', parcelId: parcel.id })
    await repository('Purchase').deleteOne({ id: first.id })
    assert.deepEqual(column(await things.find({}), 'label'), ['deleted p'])
    const left = ['Parcel', 'ParcelItem'].map((name) => repository(name).count())
    assert.deepEqual(await Promise.all(left), [0, 0])
    assert.deepEqual(await names(repository('PurchaseLine')), ['c'])
  },
  'a hook that refuses keeps everything': async (context) => {
    const { repository } = context
    const { first } = await seed(context)
    const parcel = await repository('Parcel').create({ name: 'sent', purchaseId: first.id })
    await repository('ParcelItem').create({ name: 'i', parcelId: parcel.id })
    await assert.rejects(() => repository('Purchase').delete({}), RangeError)
    const left = ['Purchase', 'PurchaseLine', 'Parcel', 'ParcelItem'].map((name) => repository(name).count())
    assert.deepEqual(await Promise.all(left), [2, 3, 1, 1])
  },
  'inside a transaction: rows of it count, and are undone with it': async (context) => {
    const { connector, repository } = context
    await connector.transaction(async (tx) => {
      const ada = await repository('Customer').withTransaction(tx).create({ name: 'Ada' })
      await repository('Purchase').withTransaction(tx).create({ name: 'x', customerId: ada.id })
    })
    const work = async (tx: Parameters<Parameters<typeof connector.transaction>[0]>[0]) => {
      await repository('Purchase').withTransaction(tx).deleteOwned({})
      await repository('Customer').withTransaction(tx).delete({})
      await undo()
    }
    await assert.rejects(() => connector.transaction(work), Undone)
    assert.deepEqual(await names(repository('Purchase')), ['x'])
    await refused(
      () => connector.transaction((tx) => repository('Customer').withTransaction(tx).delete({})),
      REFERENCED,
      409
    )
    const missing = { name: 'y', customerId: nobody(context) }
    await refused(
      () => connector.transaction((tx) => repository('Purchase').withTransaction(tx).create(missing)),
      MISSING,
      400
    )
  },
  'a refusal dooms its transaction': async (context) => {
    const { connector, repository } = context
    await seed(context)
    const caught = connector.transaction(async (tx) => {
      await repository('Remark').withTransaction(tx).create({ name: 'x' })
      await repository('Customer')
        .withTransaction(tx)
        .delete({})
        .catch(() => undefined)
    })
    await refused(() => caught, REFERENCED, 409)
    assert.equal(await repository('Remark').count(), 0)
  },
  'deferrable: two rows that need each other, looked at when the transaction is kept': async (context) => {
    const { repository } = context
    const [captain, other, squad] = [nobody(context), nobody(context), nobody(context)]
    const players = repository('Player')
    await players.withTransaction(async (inside, tx) => {
      await repository('Squad').withTransaction(tx).create({ id: squad, name: 's', captainId: captain })
      await inside.createMany([
        { id: captain, name: 'one', squadId: squad },
        { id: other, name: 'two', squadId: squad }
      ])
    })
    assert.equal((await repository('Squad').findOne({}, { relations: ['captain'] }))?.captain.name, 'one')
    // Another row takes the place of one that the squad needs.
    await players.withTransaction(async (inside, tx) => {
      await inside.deleteOne({ id: captain })
      await repository('Squad').withTransaction(tx).updateOne({ id: squad }, { captainId: other })
    })
    assert.deepEqual(await names(players), ['two'])
    const missing = players.withTransaction(async (inside) => void (await inside.deleteOne({ id: other })))
    await assert.rejects(() => missing, { code: MISSING, statusCode: 400, entity: 'Squad', field: 'captainId' })
    const unmade = repository('Squad').withTransaction(async (inside) => {
      await inside.create({ name: 'x', captainId: nobody(context) })
    })
    await assert.rejects(() => unmade, { code: MISSING, statusCode: 400, entity: 'Squad', field: 'captainId' })
    assert.deepEqual(await names(repository('Squad')), ['s'])
  },
  'writers at once leave no row without its owner': async (context) => {
    const { connector, repository } = context
    for (let round = 0; round < 10; round += 1) {
      const ada = await repository('Customer').create({ name: 'Ada' })
      const create = connector.transaction((tx) =>
        repository('Purchase').withTransaction(tx).create({ name: 'x', customerId: ada.id })
      )
      const remove = connector.transaction((tx) => repository('Customer').withTransaction(tx).delete({ id: ada.id }))
      const [made, gone] = await Promise.allSettled([create, remove])
      const codes = [made, gone].map((each) =>
        each.status === 'rejected' ? (each.reason as { code: string }).code : null
      )
      assert.ok(
        [MISSING, REFERENCED].some((code) => codes.includes(code)),
        `one of both is refused: ${codes.join()}`
      )
      const purchases = await repository('Purchase').find({}, { relations: ['customer'] })
      assert.ok(purchases.every(({ customer }) => customer !== null))
    }
  }
}
