/** Unique fields and indexes, and what many clients at once make of them. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import { UniqueViolation } from '../errors.ts'
import { type Cases, column, refused } from './conformance-suite.ts'

export const uniqueCases: Cases = {
  'a unique value is held once, and free again when its row lets go of it': async ({ things }) => {
    const first = await things.create({ code: 'x' })
    const second = await things.create({ code: 'y' })
    await refused(() => things.create({ code: 'x' }), 'SVC_ORM_UNIQUE', 409)
    await refused(() => things.updateOne({ id: second.id }, { code: 'x' }), 'SVC_ORM_UNIQUE', 409)
    await refused(() => things.updateMany({ id: second.id }, { code: 'x' }), 'SVC_ORM_UNIQUE', 409)
    assert.equal((await things.findOne({ id: second.id }))?.code, 'y')
    await things.updateOne({ id: first.id }, { code: 'X' })
    await things.updateOne({ id: second.id }, { code: 'x' })
    await things.deleteOne({ id: first.id })
    assert.equal((await things.create({ code: 'X' })).code, 'X')
    assert.equal((await things.updateOne({ id: second.id }, { code: 'x' }))?.code, 'x')
  },
  'a unique exact number, however it is given': async ({ things }) => {
    await things.createMany([{ serial: '9007199254740993' }, { serial: 7 }, {}])
    await refused(() => things.create({ serial: '+007' }), 'SVC_ORM_UNIQUE', 409)
    assert.equal((await things.upsert({ serial: '7' }, { label: 'none' })).label, null)
    assert.equal((await things.upsert({ serial: 8n }, { label: 'new' })).serial, '8')
    assert.equal(await things.count({ serial: { $gt: 7 } }), 2)
  },
  'null never collides': async ({ things, pairs }) => {
    await things.createMany([{ code: null }, {}, { label: 'x' }])
    assert.equal(await things.count({ code: null }), 3)
    await pairs.create({ left: 'l' })
    await pairs.create({ left: 'l', right: null })
    await pairs.create({ left: 'l', right: 'r' })
    await refused(() => pairs.create({ left: 'l', right: 'r' }), 'SVC_ORM_UNIQUE', 409)
    assert.equal(await pairs.count(), 3)
  },
  'C9: a unique violation carries entity and fields, of an index and of the id as well, and never values': async ({
    connector,
    repository,
    things,
    pairs
  }) => {
    const id = connector.ids.generate()
    const passport = () => ({ number: 'secret-value', heldBy: connector.ids.generate() })
    const other = await things.create({ code: 'other' })
    await things.create({ id, code: 'secret-value' })
    await pairs.create({ left: 'secret-value', right: 'r' })
    const twin = { left: 'secret-value', right: 'r' }
    await violates(() => things.create({ code: 'secret-value' }), 'Thing', ['code'])
    await violates(() => things.createMany([{}, { code: 'secret-value' }]), 'Thing', ['code'])
    await violates(() => things.updateOne({ id: other.id }, { code: 'secret-value' }), 'Thing', ['code'])
    await violates(() => things.create({ id, label: 'again' }), 'Thing', ['id'])
    await violates(() => pairs.create(twin), 'Pair', ['left', 'right'])
    await violates(() => repository('Passport').createMany([passport(), passport()]), 'Passport', ['number'])
  },
  'of fifty equal rows created at once one is kept': async ({ things }) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, count) => things.create({ code: 'x', count }))
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal((outcome.reason as { code?: string }).code, 'SVC_ORM_UNIQUE')
    }
    assert.equal(await things.count(), 1)
  },
  'upsert creates when absent and leaves what is there': async ({ connector, things, pairs }) => {
    const created = await things.upsert({ code: 'x' }, { label: 'first', count: 1 })
    assert.deepEqual([created.code, created.label, created.count], ['x', 'first', 1])
    const kept = await things.upsert({ code: 'x' }, { label: 'second', code: 'x' })
    assert.deepEqual({ ...kept }, { ...created })
    const id = connector.ids.generate()
    assert.equal((await things.upsert({ id }, { label: 'own' })).id, id)
    assert.equal((await things.upsert({ id }, { label: 'other' })).label, 'own')
    const pair = await pairs.upsert({ right: 'r', left: 'l' }, { note: 'n' })
    assert.deepEqual({ ...(await pairs.upsert({ left: 'l', right: 'r' }, { note: 'm' })) }, { ...pair })
    assert.equal(await things.count(), 2)
  },
  'upsert wants the plain values of a unique key': async ({ things, pairs }) => {
    for (const criteria of [
      {},
      { label: 'x' },
      { code: 'x', label: 'y' },
      { code: null },
      { code: ['x'] },
      { code: { $eq: 'x' } },
      { code: undefined }
    ]) {
      await refused(() => things.upsert(criteria, {}), 'SVC_ORM_CRITERIA', 400)
    }
    await refused(() => things.upsert({ code: 5 }, {}), 'SVC_ORM_VALUE', 400)
    await refused(() => things.upsert({ id: 'x' }, {}), 'SVC_ORM_VALUE', 400)
    await refused(() => things.upsert({ code: 'x' }, { code: 'y' }), 'SVC_ORM_VALUE', 400)
    await refused(() => things.upsert({ code: 'x' }, { count: 'y' }), 'SVC_ORM_VALUE', 400)
    await refused(() => things.upsert({ code: 'x' }, null as never), 'SVC_ORM_VALUE', 400)
    await refused(() => pairs.upsert({ left: 'l' }, {}), 'SVC_ORM_CRITERIA', 400)
    assert.equal(await things.count(), 0)
  },
  'upsert that meets another unique value is refused': async ({ connector, things }) => {
    await things.create({ code: 'x' })
    await refused(() => things.upsert({ id: connector.ids.generate() }, { code: 'x' }), 'SVC_ORM_UNIQUE', 409)
    assert.equal(await things.count(), 1)
  },
  'fifty upserts of one key at once make one row, and all answer it': async ({ things }) => {
    const rows = await atOnce(50, (count) => things.upsert({ code: 'x' }, { count }))
    assert.equal(await things.count(), 1)
    assert.equal(new Set(column(rows, 'id')).size, 1)
    assert.equal(new Set(column(rows, 'count')).size, 1)
  }
}

async function violates(call: () => Promise<unknown>, entity: string, fields: readonly string[]): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof UniqueViolation)
    assert.equal(error.entity, entity)
    assert.deepEqual([...error.fields], fields)
    assert.doesNotMatch(error.message, /secret-value/)
    for (const name of [entity, ...fields]) assert.ok(error.message.includes(name))
    return true
  })
}
