/** Statements of MongoDB's own inside a transaction of repositories. */
import { defineEntity, memoryDatabase } from 'svc-orm'
import t from 'tap'
import { application } from '../support/application.ts'
import { documents } from '../support/documents.ts'

const Book = defineEntity({
  name: 'Book',
  schema: { title: { type: 'string' }, sold: { type: 'integer', default: 0 } }
})

t.test('the session of a transaction takes native statements, and no other transaction has one', async (t) => {
  const { uri } = await documents(t)
  const fastify = await application(t, {
    options: { connectors: { svc: { uri } } },
    entities: [Book]
  })
  await fastify.ready()
  const books = fastify.orm.repository(Book)
  const write = (fails: boolean) =>
    books.withTransaction(async (inside, tx) => {
      const { id } = await inside.create({ title: 'inside' })
      const session = fastify.docdb.session(tx)
      t.equal(tx.session, session)
      await fastify.docdb.model('Book').updateOne({ title: 'inside' }, { $set: { sold: 3 } }, { session })
      t.equal((await inside.findOne({ id }))?.sold, 3)
      t.equal(await books.count(), 0)
      if (fails) throw new Error('undo')
      return tx
    })
  await t.rejects(write(true), /undo/)
  t.equal(await books.count(), 0)
  const over = await write(false)
  t.equal((await books.findOne({ title: 'inside' }))?.sold, 3)
  t.throws(() => fastify.docdb.session(over), {
    code: 'SVC_ORM_TRANSACTION_OVER'
  })
  const foreign = memoryDatabase({ name: 'svc' }).transaction(async (tx) => fastify.docdb.session(tx))
  await t.rejects(foreign, { code: 'SVC_ORM_FOREIGN_TRANSACTION' })
})
