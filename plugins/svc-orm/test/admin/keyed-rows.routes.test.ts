/** Rows of entities with a key of several fields, read and written by administrators by the id that is made of it. */
import t from 'tap'
import { defineEntity } from '../../src/index.ts'
import { adminApplication } from '../support/admin-application.ts'

const fields = {
  block: { type: 'string' },
  place: { type: 'integer' },
  price: { type: 'integer', default: 0 }
} as const
const Seat = defineEntity({ name: 'Seat', key: ['block', 'place'], schema: fields })
const Stall = defineEntity({
  name: 'Stall',
  existing: { name: 'stalls', key: ['block', 'place'], writable: true },
  schema: fields
})

for (const entity of [Seat, Stall]) {
  t.test(`${entity.name}: a row is created, read, changed and deleted`, async (t) => {
    const { fastify, events } = await adminApplication(t, { admin: { rows: true, write: true } }, [Seat, Stall])
    await fastify.ready()
    const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
      const url = `/svc/orm/api/entities/${entity.name}/rows${path}`
      const headers = { 'x-roles': 'ROLE_SVC_ADMIN,ROLE_SVC_DATA,ROLE_SVC_DATA_WRITE' }
      return fastify.inject({ method, url, headers, ...(payload && { payload }) })
    }
    const repository = fastify.orm.repository(entity.name)
    const id = 'a%2Fb,2'
    const at = `/${encodeURIComponent(id)}`
    const created = await call('POST', '', { values: { block: 'a/b', place: 2, price: 5 } })
    t.equal(created.statusCode, 201, created.body)
    t.match(await repository.findOne({ id }), { block: 'a/b', place: 2, price: 5 })
    t.match((await call('GET', at)).body, /"a%2Fb,2"/)
    t.match((await call('GET', '')).body, /"a%2Fb,2"/)
    t.equal((await call('POST', '', { values: { block: 'a/b', place: 2 } })).statusCode, 409)
    const moved = await call('PATCH', at, { values: { place: 3 } })
    t.equal(moved.statusCode, 400, moved.body)
    const changed = await call('PATCH', at, { values: { price: 6 } })
    t.equal(changed.statusCode, 200, changed.body)
    t.equal((await repository.findOne({ block: 'a/b', place: 2 }))?.price, 6)
    t.match(JSON.stringify(events), /a%2Fb,2/, 'the journal names the row')
    t.ok((await call('DELETE', at)).statusCode < 300)
    t.equal(await repository.count(), 0)
    t.equal((await call('GET', at)).statusCode, 404)
  })
}
