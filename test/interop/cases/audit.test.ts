/** Area `audit`: what a refused authentication leaves behind, in the journal of svc-audit itself. */
import svcAudit from 'svc-audit'
import type { AuditEvent } from 'svc-kernel'
import type { Test } from 'tap'
import { API, accountApp, KEY_SET, PASSWORD } from '../../support/account-app.ts'
import { securityCase } from './security-case.ts'

/** Every way in that takes a name. */
const WAYS = ['basic', 'login', 'token'] as const

/** Characters that would break a line of a log, or change how it reads. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

async function auditedApp(t: Test) {
  const app = await accountApp(t, {
    before: [svcAudit],
    security: {
      areas: {
        basic: { pattern: '^/basic', authenticators: ['userpassword'] },
        in: { pattern: '^/in', authenticators: ['jwt', 'apikey'] }
      },
      jwt: KEY_SET,
      rateLimit: { enabled: false }
    }
  })
  const attempt = (way: (typeof WAYS)[number], username: string, password: string) => {
    if (way === 'basic') return app.browser().basic(`${username}:${password}`)
    if (way === 'login') return app.browser().login(username, password)
    return app.browser().post(`${API}/token`, { username, password })
  }
  const bearer = (token: string) => app.browser().call('GET', '/in/who', { authorization: `Bearer ${token}` })
  const last = () => app.fastify.audit.recent(1)[0] as AuditEvent
  return { ...app, attempt, bearer, last }
}

securityCase(
  'AUD-01',
  async (t) => {
    const { attempt, bearer, book, fastify, last } = await auditedApp(t)
    await book.add('locked', PASSWORD, { locked: true })
    const secret = 'hunter2-of-the-caller'
    for (const way of WAYS) {
      for (const [name, password, reason] of [
        ['alice', secret, 'wrong_password'],
        ['nobody', secret, 'unknown_user'],
        ['locked', PASSWORD, 'locked']
      ] as const) {
        t.equal((await attempt(way, name, password)).status, 401)
        t.match(
          last(),
          { category: 'auth', outcome: 'failure', actor: name, reason, ip: '127.0.0.1' },
          `${way} ${name}`
        )
        t.match(last().requestId, /./)
        if (way === 'basic') {
          t.match(last(), { resource: 'basic', metadata: { authenticator: 'userpassword', zone: 'basic' } })
        }
      }
      const long = 'x'.repeat(250)
      await attempt(way, long, secret)
      t.equal(last().actor, long, 'up to 256 characters are kept')
    }
    await attempt('basic', 'y'.repeat(3000), secret)
    t.equal(last().actor, `${'y'.repeat(253)}...`, 'and no more')

    const { accessToken } = await fastify.tokens.issue({ identifier: 'alice' })
    const { token: key } = await fastify.tokens.apiKeys.create('alice', { name: 'nightly' })
    const spoilt = `${accessToken.slice(0, -4)}AAAA`
    await bearer(spoilt)
    t.match(last(), { actor: null, reason: 'invalid_signature', metadata: { authenticator: 'jwt', zone: 'in' } })
    book.accounts.delete('alice')
    for (const [credential, authenticator] of [
      [accessToken, 'jwt'],
      [key, 'apikey']
    ] as const) {
      await bearer(credential)
      t.match(last(), { actor: 'alice', reason: 'unknown_subject', metadata: { authenticator, zone: 'in' } })
    }
    const kept = JSON.stringify(fastify.audit.recent(1000))
    for (const text of [secret, PASSWORD, accessToken, spoilt, key]) t.notOk(kept.includes(text), 'no secret')
  },
  'the same, where a name is submitted; a token or key that is ours names its user'
)

securityCase('AUD-03', async (t) => {
  const { attempt, last, lines } = await auditedApp(t)
  const forged = 'alice\n{"level":30,"msg":"login"}\r\u001b[2K\u001b[1A\u0085\u202ebob\u2066'
  for (const way of ['login', 'token'] as const) {
    await attempt(way, forged, 'x')
    t.match(last().actor, /^alice\\u000a\{"level":30,"msg":"login"\}\\u000d\\u001b\[2K/, way)
    t.notMatch(last().actor, UNSAFE, way)
  }
  t.equal((await attempt('basic', forged, 'x')).status, 401)
  t.match(last(), { actor: null, reason: 'malformed' }, 'control characters make no credential of Basic')
  await attempt('basic', 'alice\u0085\u202ebob', 'x')
  t.equal(last().actor, 'alice\\u0085\\u202ebob')
  t.notMatch(JSON.stringify(lines.map(({ msg, ...fields }) => [msg, fields])), UNSAFE, 'nor in a line of the log')
})
