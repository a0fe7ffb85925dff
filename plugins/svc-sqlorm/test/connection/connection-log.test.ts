/** What a first boot says of the schema. */
import Fastify from 'fastify'
import svcSqlorm from 'svc-sqlorm'
import t from 'tap'
import { everyStore } from '../support/every-store.ts'

t.test('N6: the indexes of a first boot are one line', async (t) => {
  const lines: { level: number; msg: string }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const fastify = Fastify({ logger: { level: 'debug', stream } })
  t.teardown(() => fastify.close())
  await fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } } })
  for (const each of [everyStore.user, everyStore.session, everyStore.tokens, everyStore.audit]) {
    fastify.stores.select<object>(each, 'auto')
  }
  await fastify.ready()
  const shown = lines.filter(({ level, msg }) => level >= 30 && /index/.test(msg)).map(({ msg }) => msg)
  t.equal(shown.length, 1)
  t.match(shown[0], /^created \d+ indexes$/)
  const each = lines.filter(({ level, msg }) => level === 20 && /^created index /.test(msg))
  t.equal(`created ${each.length} indexes`, shown[0], 'each of them at level debug')
})
