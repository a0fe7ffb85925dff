/**
 * Hostile bodies and queries through routes into documents: nothing is answered
 * with 500, no query is widened, nothing is written that was not declared.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import svcDocdb from 'svc-docdb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import svcKernel from 'svc-kernel'
import svcOrm, { type AnyRow, defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'

const Account = defineEntity({
  name: 'Account',
  schema: {
    email: { type: 'string', unique: true },
    secret: { type: 'string', default: 'kept' },
    balance: { type: 'integer', default: 0 },
    tags: { type: 'string', array: true, nullable: true },
    note: { type: 'json', nullable: true }
  }
})

const SEVENTEEN_MB = 17 * 1024 * 1024

/** Routes as a careless author writes them: what comes in goes to the repository as it is. */
async function carelessApp(t: Test): Promise<FastifyInstance> {
  const engine = await startDocumentEngine()
  t.teardown(() => engine.close())
  const fastify = Fastify({ bodyLimit: 64 * 1024 * 1024 })
  t.teardown(() => fastify.close())
  await fastify.register(svcKernel)
  await fastify.register(svcOrm, { parts: { entities: [Account] } })
  const uri = `mongodb://127.0.0.1:${engine.port}/shop?replicaSet=rs0`
  await fastify.register(svcDocdb, { connectors: { svc: { uri } } })
  const accounts = () => fastify.orm.repository('Account')
  fastify.post<{ Body: { email: string } }>('/login', ({ body }) => accounts().find({ email: { $eq: body.email } }))
  fastify.post<{ Body: Record<string, unknown> }>('/search', ({ body }) => accounts().find(body))
  fastify.post<{ Body: Partial<AnyRow> }>('/accounts', ({ body }) => accounts().create(body))
  fastify.patch<{ Params: { id: string }; Body: Record<string, unknown> }>('/accounts/:id', ({ params, body }) =>
    accounts().updateOne({ id: params.id }, body)
  )
  fastify.get<{ Querystring: { like: string } }>('/like', ({ query }) =>
    accounts().find({ email: { $like: `${query.like}%` } })
  )
  fastify.get<{ Params: { id: string } }>('/accounts/:id', async ({ params }) => ({
    found: await accounts().findOne({ id: params.id })
  }))
  await fastify.ready()
  await accounts().createMany([{ email: 'ann@shop.example' }, { email: 'bob@shop.example' }])
  return fastify
}

type Row = [what: string, body: string, status: number, found?: number]

/** A value where an e-mail address belongs, under `$eq`. */
const logins: Row[] = [
  ['an operator that holds for all', '{"email":{"$gt":""}}', 400],
  ['another one', '{"email":{"$ne":null}}', 400],
  ['a pattern', '{"email":{"$regex":".*"}}', 400],
  ['code', '{"email":{"$where":"sleep(1000)"}}', 400],
  ['a list', '{"email":["ann@shop.example","bob@shop.example"]}', 400],
  ['a number', '{"email":1}', 400],
  ['nothing', '{}', 400],
  ['null', '{"email":null}', 200, 0],
  ['a BSON type', '{"email":{"_bsontype":"ObjectId","id":"aaaaaaaaaaaa"}}', 400],
  ['an operator as text', '{"email":"{\\"$gt\\":\\"\\"}"}', 200, 0],
  ['NUL', '{"email":"ann@shop.example\\u0000"}', 400],
  ['half a character', '{"email":"\\ud800"}', 400],
  ['the address itself', '{"email":"ann@shop.example"}', 200, 1]
]

/** Whole criteria. */
const searches: Row[] = [
  ['an operator at the top', '{"$or":[{"email":"x"},{}]}', 400],
  ['code at the top', '{"$where":"true"}', 400],
  ['an expression', '{"$expr":{"$eq":[1,1]}}', 400],
  ['an unknown field', '{"password":"x"}', 400],
  ['a dotted name', '{"email.admin":true}', 400],
  ['a path within JSON', '{"note.admin":true}', 200, 0],
  ['code in a path within JSON', '{"note.$where":"true"}', 400],
  ['a name that begins with $', '{"$email":"x"}', 400],
  ['a constructor', '{"constructor":{"prototype":{"admin":true}}}', 400],
  ['an unknown operator', '{"email":{"$exists":true}}', 400],
  ['operators and values mixed', '{"email":{"$eq":"x","y":1}}', 400],
  ['operators nested in operators', '{"email":{"$eq":{"$gt":""}}}', 400],
  ['a comparison with an object', '{"balance":{"$gte":{"$minKey":1}}}', 400],
  ['a list of objects', '{"email":{"$in":[{"$gt":""}]}}', 400],
  ['a number for a text', '{"email":{"$gt":0}}', 400],
  ['JSON as a criterion', '{"note":{"$gt":{}}}', 400],
  ['an empty list', '{"email":{"$in":[]}}', 200, 0]
]

/** New rows. */
const rows: Row[] = [
  ['an operator for a value', '{"email":{"$gt":""}}', 400],
  ['a number too large', '{"email":"c","balance":1e300}', 400],
  ['a list of objects', '{"email":"c","tags":[{"$gt":""}]}', 400],
  ['NUL in a text', '{"email":"c\\u0000"}', 400],
  ['a row of 17 MB', `{"email":"c","secret":"${'x'.repeat(SEVENTEEN_MB)}"}`, 413],
  ['no required field', '{}', 400],
  ['a taken value', '{"email":"ann@shop.example"}', 409]
]

t.test('hostile input', { timeout: 120_000 }, async (t) => {
  const fastify = await carelessApp(t)
  const accounts = fastify.orm.repository(Account)
  const post = (url: string, payload: string) =>
    fastify.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })

  for (const [url, table] of [['/login', logins] as const, ['/search', searches] as const]) {
    for (const [what, body, status, found] of table) {
      await t.test(`${url}: ${what}`, async (t) => {
        const answer = await post(url, body)
        t.equal(answer.statusCode, status, answer.body)
        if (found !== undefined) t.equal(answer.json().length, found)
      })
    }
  }

  for (const [what, body, status] of rows) {
    await t.test(`/accounts: ${what}`, async (t) => {
      const answer = await post('/accounts', body)
      t.equal(answer.statusCode, status, answer.body.slice(0, 500))
      t.equal(await accounts.count(), 2, 'nothing was written')
    })
  }

  await t.test('polluting keys are refused by the parser of bodies', async (t) => {
    for (const body of ['{"email":"c","__proto__":{"admin":true}}', '{"email":"c","constructor":{"prototype":{}}}']) {
      t.equal((await post('/accounts', body)).statusCode, 400)
    }
    t.equal(({} as { admin?: boolean }).admin, undefined)
  })

  await t.test('fields that were not declared are dropped, free JSON stays what it is', async (t) => {
    const note = { $set: { admin: true }, 'a.b': 1, $where: 'true', nested: { $gt: '' }, _bsontype: 'Long', '': 0 }
    const made = await post('/accounts', JSON.stringify({ email: 'c', admin: true, _id: 'x', 'note.x': 1, note }))
    t.equal(made.statusCode, 200, made.body)
    const stored = await fastify.mongo.db?.collection('Account').findOne({ email: 'c' })
    t.strictSame(Object.keys(stored ?? {}).sort(), ['_id', 'balance', 'email', 'note', 'secret'])
    t.strictSame((await accounts.findOne({ email: 'c' }))?.note, note)
    await accounts.delete({ email: 'c' })
  })

  await t.test('changes with operators are refused', async (t) => {
    const [ann] = await accounts.find({ email: 'ann@shop.example' })
    const changes = [
      { $set: { secret: 'x' } },
      { $inc: { balance: 1 } },
      { secret: { $gt: '' } },
      { $rename: { secret: 'email' } },
      [{ $set: { secret: 'x' } }]
    ]
    for (const payload of changes) {
      const answer = await fastify.inject({ method: 'PATCH', url: `/accounts/${ann?.id}`, payload })
      t.equal(answer.statusCode, 400, `${JSON.stringify(payload)}: ${answer.body}`)
    }
    t.strictSame(await accounts.findOne({ id: ann?.id ?? '' }), ann)
  })

  await t.test('metacharacters of patterns stand for themselves', async (t) => {
    const hostile = ['.*', '^', '(a+)+$', '[', '\\', '*', '(?=', '$', 'ann|bob', '.', '\\Q']
    for (const like of hostile) {
      const answer = await fastify.inject({ url: '/like', query: { like } })
      t.match(answer, { statusCode: 200, body: '[]' }, JSON.stringify(like))
    }
    t.equal((await fastify.inject({ url: '/like', query: { like: 'ann' } })).json().length, 1)
  })

  await t.test('ids of another form find nothing', async (t) => {
    const ids = [
      'x',
      '1',
      '$ne',
      '[object Object]',
      'null',
      '0'.repeat(25),
      'Z'.repeat(24),
      'aaaaaaaaaaaa',
      '%00',
      '{}'
    ]
    for (const id of ids) {
      t.match(await fastify.inject({ url: `/accounts/${encodeURIComponent(id)}` }), {
        statusCode: 200,
        body: '{"found":null}'
      })
    }
  })

  t.equal(await accounts.count(), 2, 'the rows of the beginning, and no others')
})
