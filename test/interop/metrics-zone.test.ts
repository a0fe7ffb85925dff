/** Where an application keeps accounts, its metrics lie in the built-in zone: for administrators, whoever else comes. */
import svcOps from 'svc-ops'
import t, { type Test } from 'tap'
import { accountApp, KEY_SET } from '../support/account-app.ts'

async function scraped(t: Test, metrics: object) {
  const { fastify, port, book } = await accountApp(t, { security: { jwt: KEY_SET }, modules: [[svcOps, { metrics }]] })
  await book.add('root', null, { roles: ['ROLE_SVC_ADMIN'] })
  return async (identifier: string | null, more: Record<string, string> = {}) => {
    const bearer = identifier === null ? null : (await fastify.tokens.issue({ identifier })).accessToken
    const headers = { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...more }
    return (await fetch(`http://127.0.0.1:${port}/svc/ops/metrics`, { headers })).status
  }
}

t.test('S4: an administrator reads the metrics, a user does not, and without proof it is 401', async (t) => {
  const status = await scraped(t, {})
  t.strictSame([await status('root'), await status('alice'), await status(null)], [200, 403, 401])
})

t.test('S4: open to the same machine, they ask it for no proof', async (t) => {
  const status = await scraped(t, { openToLoopback: true })
  t.equal(await status(null), 200)
  t.equal(await status(null, { 'x-forwarded-for': '192.0.2.1' }), 401, 'a proxy is not the same machine')
})
