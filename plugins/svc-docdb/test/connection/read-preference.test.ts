/** `readPreference` of the URI: entities are read there, as long as the caller has not written; what decides never is. */
import { index, prop } from '@typegoose/typegoose'
import { defineEntity } from 'svc-orm'
import type { TablePlan } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { application } from '../support/application.ts'
import { documents } from '../support/documents.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })

@index({ title: 1 })
class Page {
  @prop({ type: String })
  title?: string
}

const PLAN: TablePlan = { name: 'counter', key: ['id'], columns: [{ name: 'id', type: 'text' }] }

const READS = new Set(['find', 'aggregate', 'count', 'distinct'])

async function watched(t: Test, preference: string) {
  const { uri } = await documents(t)
  const connector = { uri: `${uri}${uri.includes('?') ? '&' : '?'}${preference}` }
  const fastify = await application(t, {
    options: { connectors: { svc: connector }, debug: true },
    entities: [Note, Page]
  })
  const table = fastify.orm.connectors()[0]?.table<{ id: string }>(PLAN)
  fastify.get('/', async () => {
    const notes = fastify.orm.repository('Note')
    return [await notes.count(), await notes.findOne({ title: 'a' }), await notes.find({}), await notes.exists({})]
      .length
  })
  fastify.get('/page', async () => [await fastify.orm.repository('Page').find({ title: 'a' })].length)
  fastify.post('/', async () => {
    const notes = fastify.orm.repository('Note')
    await notes.create({ title: 'a' })
    return (await notes.find({})).length
  })
  await fastify.ready()
  const modes: string[] = []
  fastify.docdb.connector().document.client.on('commandStarted', ({ commandName, command }) => {
    const { $readPreference: asked } = command as { $readPreference?: { mode: string } }
    if (READS.has(commandName)) modes.push(asked?.mode ?? 'primary')
  })
  /** Where each read of the work goes. */
  const read = async (work: () => PromiseLike<unknown>) => {
    modes.length = 0
    await work()
    return [...new Set(modes)]
  }
  return { fastify, table, read }
}

const PREFERRED = 'secondaryPreferred'

t.test('entities are read where the URI says, until the request writes', async (t) => {
  const { fastify, table, read } = await watched(t, `readPreference=${PREFERRED}`)
  t.strictSame(await read(() => fastify.inject('/')), [PREFERRED])
  t.strictSame(await read(() => fastify.inject('/page')), [PREFERRED], 'a class of Typegoose as well')
  t.strictSame(await read(() => fastify.inject({ method: 'POST', url: '/' })), ['primary'])
  const notes = fastify.orm.repository('Note')
  t.strictSame(await read(() => notes.find({})), ['primary'], 'outside of requests')
  t.strictSame(await read(() => fastify.orm.repository('Page').find({})), ['primary'])
  t.strictSame(await read(() => fastify.orm.onReplicas(() => notes.find({}))), [PREFERRED])
  t.strictSame(await read(() => fastify.orm.onReplicas(() => notes.primary().find({}))), ['primary'])
  const stores = async () => [await table?.find([]), await table?.findOne([]), await table?.count([])]
  t.strictSame(await read(() => fastify.orm.onReplicas(stores)), ['primary'], 'stores')
  const transaction = () => fastify.orm.transaction((tx) => notes.withTransaction(tx).find({}))
  t.strictSame(await read(() => fastify.orm.onReplicas(transaction)), ['primary'], 'transactions')
  t.equal((await notes.find({})).length, 1)
})

t.test('without it, on the primary', async (t) => {
  const { fastify, read } = await watched(t, 'appName=plain')
  t.strictSame(await read(() => fastify.inject('/')), ['primary'])
  t.strictSame(await read(() => fastify.orm.onReplicas(() => fastify.orm.repository('Note').find({}))), ['primary'])
})
