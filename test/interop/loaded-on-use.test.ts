/** What few applications use is loaded on its first use: seen in a process of its own, as tests share what is loaded. */
import t from 'tap'
import { repository, run } from '../support/svc-command.ts'

const LOADED = `
import { createRequire } from 'node:module'
const { cache } = createRequire(import.meta.url)
const isLoaded = (name) => Object.keys(cache).some((path) => path.includes('/node_modules/' + name + '/'))
`

const page = `${LOADED}
import Fastify from 'fastify'
import svcOpenapi from 'svc-openapi'
const told = []
for (const page of [false, true]) {
  const fastify = Fastify()
  await fastify.register(svcOpenapi, { page })
  const { statusCode } = await fastify.inject(page ? '/svc/docs/api/' : '/svc/docs/api/json')
  told.push([statusCode, isLoaded('@fastify/swagger'), isLoaded('@fastify/swagger-ui')])
  await fastify.close()
}
console.log(JSON.stringify(told))
`

const computing = `${LOADED}
import { startDocumentEngine } from 'svc-docdb-embedded'
import { MongoClient } from 'mongodb'
const engine = await startDocumentEngine()
const client = await new MongoClient(engine.uri).connect()
const orders = client.db('shop').collection('orders')
await orders.insertMany([{ paid: 1 }, { paid: 2 }])
const told = []
const computed = { $group: { _id: null, sum: { $sum: { $multiply: ['$paid', 2] } } } }
for (const stage of [{ $match: { paid: 2 } }, { $group: { _id: null, sum: { $sum: '$paid' } } }, computed]) {
  const [{ paid, sum }] = await orders.aggregate([stage]).toArray()
  told.push([paid ?? sum, isLoaded('mingo')])
}
await client.close()
await engine.close()
console.log(JSON.stringify(told))
`

const sockets = `${LOADED}
import Fastify from 'fastify'
import svcDecorators, { controller, Get, WebSocket } from 'svc-decorators'
class Plain { a () {} }
Get('/plain')(Plain.prototype, 'a')
controller()(Plain)
class Socket { a () {} }
WebSocket('/socket')(Socket.prototype, 'a')
controller()(Socket)
const told = []
for (const controllers of [[Plain], [Plain, Socket]]) {
  const fastify = Fastify()
  await fastify.register(svcDecorators, { controllers })
  await fastify.ready()
  told.push([isLoaded('@fastify/websocket'), isLoaded('ws')])
  await fastify.close()
}
console.log(JSON.stringify(told))
`

const cases: ReadonlyArray<readonly [name: string, program: string, told: unknown]> = [
  [
    'the reference page, where it is served',
    page,
    [
      [200, true, false],
      [200, true, true]
    ]
  ],
  [
    'WebSockets, where there are some',
    sockets,
    [
      [false, false],
      [true, true]
    ]
  ],
  [
    'what computes in pipelines, by the first that does',
    computing,
    [
      [2, false],
      [3, false],
      [6, true]
    ]
  ]
]

for (const [name, program, told] of cases) {
  t.test(name, async (t) => {
    const args = ['--input-type=module', '--eval', program]
    const { code, stdout, stderr } = await run(process.execPath, args, {
      cwd: repository,
      env: { NODE_ENV: 'development' }
    })
    t.equal(code, 0, stderr)
    t.strictSame(JSON.parse(stdout), told)
  })
}
