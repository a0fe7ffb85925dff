/** The views of the database in a real application: closed without proof, open to an administrator's session. */
import svcOrm, { defineEntity } from 'svc-orm'
import t from 'tap'
import { accountApp, PASSWORD } from '../support/account-app.ts'
import { startApp } from '../support/start-app.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })
const orm = [svcOrm, { memory: true, admin: { rows: true }, parts: { entities: [Note] } }] as const
const VIEWS = [
  'orms',
  'entities',
  'entity/Note',
  'graph',
  'counts',
  'connection/health',
  'flow',
  'schema',
  'export/dbml'
]

t.test('the zone of svc-security holds them: 401 without proof, 403 without the role, 200 with it', async (t) => {
  const { book, browser } = await accountApp(t, { modules: [orm] })
  await book.add('root', PASSWORD, { roles: ['ROLE_SVC_ADMIN'] })
  const root = browser()
  const alice = browser()
  t.equal((await root.login('root')).status, 200)
  t.equal((await alice.login('alice')).status, 200)
  for (const view of VIEWS) {
    const target = `/svc/orm/api/${view}`
    t.equal((await browser().call('GET', target)).status, 401, `${view}: nobody`)
    t.equal((await alice.call('GET', target)).status, 403, `${view}: a user`)
    t.equal((await root.call('GET', target)).status, 200, `${view}: an administrator`)
  }
  const rows = '/svc/orm/api/entities/Note/rows'
  await book.add('dora', PASSWORD, { roles: ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA'] })
  const dora = browser()
  t.equal((await dora.login('dora')).status, 200)
  t.equal((await browser().call('GET', rows)).status, 401, 'rows: nobody')
  t.equal((await root.call('GET', rows)).status, 403, 'rows: an administrator without the role for them')
  t.equal((await dora.call('GET', rows)).status, 200, 'rows: with both roles')
  t.equal((await browser().call('GET', '/svc/orm/api/nope')).status, 401, 'an unknown view tells nothing')
})

t.test('without accounts no zone holds them, and they are closed', async (t) => {
  const { fastify } = await startApp(t, { security: {}, modules: [orm] })
  for (const view of VIEWS) t.equal((await fastify.inject(`/svc/orm/api/${view}`)).statusCode, 403, view)
})

t.test('without svc-security they are closed as well', async (t) => {
  const { fastify } = await startApp(t, { security: false, modules: [orm] })
  for (const view of VIEWS) t.equal((await fastify.inject(`/svc/orm/api/${view}`)).statusCode, 403, view)
})
