/** Slow operations on documents: told by the shape of their filter, with their entity, and never a value. */
import { defineEntity } from 'svc-orm'
import t from 'tap'
import { application } from './support/application.ts'
import { documents } from './support/documents.ts'

const Note = defineEntity({ name: 'PostItNote', schema: { title: { type: 'string' } } })

t.test('the kind, the collection, the shape, how many', async (t) => {
  const { uri } = await documents(t)
  const lines: string[] = []
  const fastify = await application(t, {
    options: { connectors: { svc: { uri } } },
    orm: { flow: { slowMs: 0, slowStatementMs: 1e-6 } },
    entities: [Note],
    lines
  })
  await fastify.ready()
  const notes = fastify.orm.repository(Note)
  await notes.createMany([{ title: 'secret one' }, { title: 'secret two' }])
  await notes.find({ title: { $in: ['secret one', 'secret two'] } })
  await notes.updateMany({ title: 'secret one' }, { title: 'secret three' })
  const told = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ code }) => code === 'SVC_ORM_SLOW_STATEMENT')
  const of = (kind: string) => told.find(({ statement }) => String(statement).startsWith(kind))
  t.match(of('insert'), { entity: 'PostItNote', statement: 'insert PostItNote', count: 1, ms: Number })
  t.match(of('find'), { entity: 'PostItNote', statement: 'find { title: { $in: ? } }', rows: 2 })
  t.match(of('update'), { statement: 'update { title: { $eq: ? } }', rows: 1 })
  t.notMatch(lines.join(), /secret (?:one|two|three)/)
  t.strictSame(
    fastify.orm
      .flow()
      .view()
      .slow.map(({ operation, statement }) => [operation, statement?.split(' ')[0]]),
    [
      ['updateMany', 'update'],
      ['find', 'find'],
      ['createMany', 'insert']
    ]
  )
})
