/** A server that keeps to its document, and one that does not: each lie is found, and nothing else. */
import Fastify, { type FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { type CheckedOperation, checkServer } from '../../src/openapi/check-server.ts'
import type { OpenapiDocument, Operation } from '../../src/openapi/document.ts'

const note = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer' }, title: { $ref: '#/components/schemas/Title' } }
}
const json = (schema: object) => ({ content: { 'application/json': { schema } as object } })
const document = (paths: Record<string, Record<string, Operation>>): OpenapiDocument => ({
  openapi: '3.1.0',
  paths,
  components: { schemas: { Title: { type: 'string', minLength: 1, maxLength: 20 } } }
})

const READ: Operation = {
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 9 } },
    { name: 'lang', in: 'query', schema: { enum: ['de', 'en'] } }
  ],
  responses: { 200: json(note), 400: json({ type: 'object', required: ['code'] }) }
}
const WRITE: Operation = {
  requestBody: { required: true, ...json({ ...note, required: ['title'] }) },
  responses: { 201: json(note), 400: json({ type: 'object', required: ['code'] }) }
}

type Answer = (reply: FastifyReply, given: { id: number; title: string; lang?: string }) => unknown

async function checked(
  t: Test,
  { read, write, operation = READ }: { read?: Answer; write?: Answer; operation?: Operation }
) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const refused = (reply: FastifyReply) => reply.code(400).send({ code: 'SVC_HTTP_VALIDATION', message: 'wrong' })
  const honest: Answer = (reply, { id }) =>
    Number.isInteger(id) && id > 0 && id < 10 ? reply.send({ id, title: 'a' }) : refused(reply)
  fastify.get<{ Params: { id: string }; Querystring: { lang?: string } }>('/notes/:id', async (request, reply) =>
    (read ?? honest)(reply, { id: Number(request.params.id), title: '', ...request.query })
  )
  fastify.post<{ Body: { title?: string } }>('/notes', async ({ body }, reply) => {
    const isFit =
      !Array.isArray(body) && typeof body.title === 'string' && body.title.length > 0 && body.title.length < 21
    if (write === undefined) return isFit ? reply.code(201).send({ id: 1, title: body.title }) : refused(reply)
    return write(reply, { id: 1, title: String(body.title) })
  })
  const origin = await fastify.listen({ port: 0, host: '127.0.0.1' })
  const found: CheckedOperation[] = []
  const given = document({ '/notes/{id}': { get: operation }, '/notes': { post: WRITE } })
  const check = { origin, requests: 15, seed: 7, changing: write !== undefined, headers: { 'x-key': 'k' } }
  for await (const one of checkServer(given, check)) found.push(one)
  return found
}

const texts = (found: readonly CheckedOperation[]) => found.flatMap(({ problems }) => problems.map(({ text }) => text))

t.test('a server that keeps to its document', async (t) => {
  const found = await checked(t, {})
  t.match(found, [
    { operation: 'GET /notes/{id}', sent: 16, statuses: { 200: 15, 400: 1 }, problems: [] },
    { operation: 'POST /notes', sent: 0, problems: [], skipped: 'it changes something' }
  ])
})

const LIES: ReadonlyArray<readonly [string, Answer, string[]]> = [
  ['a status', (reply) => reply.code(418).send({}), ['answers 418, which the document does not have']],
  ['a failure', (reply) => reply.code(500).send({}), ['answers 500']],
  [
    'a body',
    (reply, { id }) => (id > 0 ? reply.send({ id: 1 }) : reply.code(400).send({ code: 'A' })),
    ["answers 200 with a body that leaves its schema: / must have required property 'title'"]
  ],
  [
    'deep in a body',
    (reply, { id }) => (id > 0 ? reply.send({ id: 1, title: '' }) : reply.code(400).send({ code: 'A' })),
    ['answers 200 with a body that leaves its schema: /title must NOT have fewer than 1 characters']
  ],
  [
    'a type',
    (reply, { id }) => (id > 0 ? reply.type('text/plain').send('a') : reply.code(400).send({ code: 'A' })),
    ['answers 200 as text/plain, the document has application/json']
  ],
  [
    'it refuses less',
    (reply) => reply.send({ id: 1, title: 'a' }),
    ['accepts what the document refuses: path id is no number']
  ],
  [
    'it refuses more',
    (reply, { lang }) =>
      lang === 'de'
        ? reply.code(400).send({ code: 'FST_ERR_VALIDATION', message: 'not de' })
        : reply.code(400).send({ code: 'A' }),
    ['refuses what the document accepts: not de']
  ]
]

for (const [title, read, expected] of LIES) {
  t.test(`a lie: ${title}`, async (t) => t.strictSame(texts(await checked(t, { read })), expected))
}

t.test('requests that change something are sent where they are asked for', async (t) => {
  const bodies: string[] = []
  const found = await checked(t, {
    write: (reply, { title }) => {
      bodies.push(title)
      return reply.code(201).send({ id: 1, title: 'a' })
    }
  })
  t.match(found[1], { operation: 'POST /notes', sent: 17, statuses: { 201: 17 } })
  t.strictSame(texts(found), [
    'accepts what the document refuses: the body is an array',
    'accepts what the document refuses: body /title is absent'
  ])
  t.ok(bodies.slice(0, 15).every((title) => title.length > 0 && title.length < 21))
  t.ok(new Set(bodies).size > 5, 'they differ')
})

t.test('the same seed sends the same requests', async (t) => {
  const seen = async () => {
    const targets: string[] = []
    await checked(t, {
      read: (reply, given) => {
        targets.push(JSON.stringify(given))
        return reply.code(400).send({ code: 'A' })
      }
    })
    return targets
  }
  t.strictSame(await seen(), await seen())
})

t.test('a body that is no JSON is not made up', async (t) => {
  const operation: Operation = { requestBody: { content: { 'multipart/form-data': {} } } }
  const found = await checked(t, { operation })
  t.match(found[0], { sent: 0, skipped: 'its body is multipart/form-data' })
})
