/** What a request of the application asks of SQL: a row that the firewall or a check has read is not read again. */
import svcOrm from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { logLines } from '../../support/log-lines.ts'
import { conduitApp, entities } from './conduit-app.ts'

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

/** The tables that the statements of a request read and write. */
async function ask(t: Test, method: 'GET' | 'POST' | 'PUT', url: string, token: string | null, payload = {}) {
  const from = lines.length
  const headers = token === null ? {} : { authorization: `Token ${token}` }
  const answer = await app.inject({ method, url: `/api${url}`, headers, ...(method !== 'GET' && { payload }) })
  t.ok(answer.statusCode < 300, answer.body)
  const statements = lines.slice(from).flatMap(({ msg }) => {
    const [, verb, table] = /^(select|insert|update|delete) [^"]*?(?:.*? from |into |)"(\w+)"/.exec(msg) ?? []
    return verb === undefined ? [] : [`${verb} ${table}`]
  })
  return { body: answer.json(), statements }
}

t.test('a request', async (t) => {
  const user = { email: 'ada@x.example', username: 'ada', password: 'secret of ada' }
  const { body } = await ask(t, 'POST', '/users', null, { user })
  const { token } = body.user
  const article = { title: 'Engines', description: 'd', body: 'b', tagList: [] }
  await ask(t, 'POST', '/articles', token, { article })

  t.strictSame((await ask(t, 'GET', '/user', token)).statements, FIREWALL)
  const changed = await ask(t, 'PUT', '/articles/engines', token, { article: { body: 'new' } })
  t.strictSame(changed.statements, [
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
