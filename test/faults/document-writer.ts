/**
 * An application that writes documents until it is killed. Prints `<kind> <id>` for
 * each write that was acknowledged, and never before.
 *
 *   node document-writer.js <file of the engine>
 */
import { randomUUID } from 'node:crypto'
import svcDocdb from 'svc-docdb'
import { application, createServer, defineConfig } from 'svc-host'
import svcOrm, { defineEntity } from 'svc-orm'
import { sessionStore, tokensStore, userStore } from 'svc-security/stores'

const Order = defineEntity({ name: 'Order', schema: { number: { type: 'integer' } } })

/** The application, ready, on the documents of this file. */
export async function openDocuments(file: string) {
  const config = defineConfig({
    mode: 'test',
    server: { logger: false },
    modules: [
      [svcOrm, { parts: { entities: [Order] } }],
      [svcDocdb, { connectors: { svc: { embedded: true, file } } }]
    ]
  })
  const fastify = await createServer(application(config, import.meta.url))
  const stores = {
    user: fastify.stores.select(userStore, 'docdb').store,
    session: fastify.stores.select(sessionStore, 'docdb').store,
    tokens: fastify.stores.select(tokensStore, 'docdb').store
  }
  await fastify.ready()
  return { fastify, stores, orders: fastify.orm.repository(Order) }
}

async function writeForever(file: string): Promise<void> {
  const { stores, orders } = await openDocuments(file)
  const writers: Readonly<Record<string, () => Promise<string | undefined>>> = {
    user: async () => (await stores.user?.create({ identifier: randomUUID() }))?.identifier,
    session: async () =>
      (await stores.session?.create({ id: randomUUID(), user: 'alice', content: {}, flash: {}, meta: {} }))?.id,
    denial: async () => {
      const jti = randomUUID()
      await stores.tokens?.deny(jti, Number.MAX_SAFE_INTEGER)
      return jti
    },
    order: async () => (await orders.create({ number: 1 })).id
  }
  for (const [kind, write] of Object.entries(writers)) void repeat(kind, write)
}

async function repeat(kind: string, write: () => Promise<string | undefined>): Promise<never> {
  for (;;) process.stdout.write(`${kind} ${await write()}\n`)
}

const [, program = '', file] = process.argv
if (file !== undefined && import.meta.filename === program) await writeForever(file)
