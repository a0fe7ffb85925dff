/** Files on SQLite, PostgreSQL and documents: the row scope of svc-orm, and transactions. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import svcFiles from 'svc-files'
import svcOrm, { defineEntity } from 'svc-orm'
import { ensureStores } from 'svc-stores'
import t from 'tap'
import { onEveryEngine, type Register } from '../../support/engines.ts'

const Ticket = defineEntity({
  name: 'Ticket',
  scope: 'organization',
  schema: { title: { type: 'string', unique: true }, file: { type: 'string', nullable: true } }
})

async function opened(register: Register): Promise<FastifyInstance> {
  const fastify = Fastify()
  await ensureStores(fastify)
  const scopes = {
    organization: ({ headers }: { headers: object }) => (headers as Record<string, string>)['x-organization'] ?? null
  }
  await fastify.register(svcOrm, { parts: { entities: [Ticket], scopes } })
  await register(fastify)
  return fastify
}

t.test('files', (t) =>
  onEveryEngine(t, async (t, register) => {
    await t.test('files belong to the row scope, and are kept and removed with a transaction', async (t) => {
      const directory = mkdtempSync(join(tmpdir(), 'svc-files-'))
      const fastify = await opened(register)
      t.teardown(async () => {
        await fastify.close()
        rmSync(directory, { recursive: true, force: true })
      })
      await fastify.register(svcFiles, { scope: 'organization', disk: { directory } })
      fastify.get<{ Params: { id: string } }>('/files/:id', ({ params }, reply) => reply.file(params.id))
      await fastify.ready()
      const { files, orm } = fastify
      const tickets = orm.repository(Ticket)
      const acme = <T>(work: () => T) => orm.withScope({ organization: 'acme' }, work)
      const globex = <T>(work: () => T) => orm.withScope({ organization: 'globex' }, work)
      const open = (title: string) =>
        acme(async () => {
          const { id } = await files.stage([Buffer.from(title)], { name: 'a.txt', type: 'text/plain' })
          const done = orm.transaction(async (tx) => {
            await files.within(tx).keep(id)
            await tickets.withTransaction(tx).create({ title, file: id })
          })
          return { id, done }
        })

      const first = await open('first')
      await first.done
      const again = await open('first')
      await t.rejects(again.done, { code: 'SVC_ORM_UNIQUE' })
      t.equal((await acme(() => files.get(first.id)))?.name, 'a.txt')
      t.equal(await acme(() => files.get(again.id)), null, 'not kept without its ticket')
      t.equal(await globex(() => files.get(first.id)), null)
      await t.rejects(files.get(first.id), { code: 'SVC_FILES_NO_SCOPE' })
      const across = orm.acrossScopes('a test', () => files.list())
      await t.rejects(across, { code: 'SVC_FILES_NO_SCOPE' }, 'nor across all scopes')

      const url = `/files/${first.id}`
      t.equal((await fastify.inject({ url, headers: { 'x-organization': 'acme' } })).body, 'first')
      t.equal((await fastify.inject({ url, headers: { 'x-organization': 'globex' } })).statusCode, 404)
      t.equal((await fastify.inject({ url })).statusCode, 500)

      const lost = acme(() =>
        orm.transaction(async (tx) => {
          t.equal(await files.within(tx).remove(first.id), true)
          t.equal(await files.within(tx).get(first.id), null)
          throw new Error('no')
        })
      )
      await t.rejects(lost, /no/)
      t.equal((await acme(() => files.get(first.id)))?.bytes, 5, 'there again')
      await acme(() => orm.transaction((tx) => files.within(tx).remove(first.id)))
      t.equal(await acme(() => files.get(first.id)), null)
    })
  })
)
