/** What a request of the application asks of SQL: a row that the firewall or a check has read is not read again. */
import { createClient } from 'svc-client'
import svcOrm from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import t from 'tap'
import { logLines } from '../../support/log-lines.ts'
import { conduitApp, entities } from './conduit-app.ts'
import type { Routes } from './routes.d.ts'

const { lines, logger } = logLines('debug')
const database = { connectors: { default: { url: 'sqlite::memory:' } }, debug: true }
const app = await conduitApp(
  [
    [svcOrm, { parts: { entities } }],
    [svcSqlorm, database]
  ],
  logger
)
t.teardown(() => app.close())

/** Whether the token, or all tokens of its subject, were revoked; and the account. */
const FIREWALL = ['select svc_denied_jti', 'select svc_subject_revocation', 'select account']

const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })

/** A client with this token. */
const clientOf = (token: string | null) =>
  createClient<Routes>({
    baseUrl,
    retry: false,
    headers: token === null ? {} : { authorization: `Token ${token}` }
  })

/** The tables that the statements of a call read and write. */
async function ask(call: () => Promise<unknown>) {
  const from = lines.length
  await call()
  const statements = lines.slice(from).flatMap(({ msg }) => {
    const [, verb, table] = /^(select|insert|update|delete) [^"]*?(?:.*? from |into |)"(\w+)"/.exec(msg) ?? []
    return verb === undefined ? [] : [`${verb} ${table}`]
  })
  return statements
}

t.test('a request', async (t) => {
  const user = { email: 'ada@x.example', username: 'ada', password: 'secret of ada' }
  const { token } = (await clientOf(null).call('POST /api/users', { body: { user } })).user
  const api = clientOf(token)
  const article = { title: 'Engines', description: 'd', body: 'b', tagList: [] }
  await api.call('POST /api/articles', { body: { article } })

  t.strictSame(await ask(() => api.call('GET /api/user')), FIREWALL)
  const change = { params: { slug: 'engines' }, body: { article: { body: 'new' } } }
  const changed = await ask(() => api.call('PUT /api/articles/:slug', change))
  t.strictSame(changed, [
    ...FIREWALL,
    'select article',
    'update article',
    // As it is after the change, with its author.
    'select article',
    'select account',
    'select follow',
    'select favorite',
    'select favorite'
  ])
})
