/**
 * The measured server: one empty route per zone, memory stores. `/credentials` gives
 * what the load presents; a session is got by logging in, as a browser does. With the argument `without` it has no
 * `request.session` and remembers no signatures.
 */
import Fastify from 'fastify'
import { guardHooks } from 'svc-kernel'
import svcSecurity, { hashPassword } from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import { serveMeasured } from '../measured/measured-server.ts'

const without = process.argv[2] === 'without'
const USER = { username: 'alice', password: 'a password of a bench' }

const password = await hashPassword(USER.password)
const alice = { identifier: USER.username, roles: ['ROLE_USER'], password }
const fastify = Fastify({ logger: false })
await fastify.register(svcSecurity, {
  areas: {
    session: { pattern: '^/session', authenticators: ['session'] },
    apikey: { pattern: '^/apikey', authenticators: ['apikey'] },
    jwt: { pattern: '^/jwt', authenticators: ['jwt'] },
    visitors: { pattern: '^/visitors', authenticators: ['anonymous'] }
  },
  session: { shared: !without },
  jwt: {
    accessTtlS: 86_400,
    ...(without && { cacheSize: 0 }),
    keySetJson: JSON.stringify({ keys: [newStoredKey(0)] })
  },
  parts: { users: { findByIdentifier: (name: string) => (name === alice.identifier ? alice : null) } }
})

for (const path of ['/empty', '/session', '/apikey', '/jwt']) fastify.get(path, () => 'ok')
fastify.get('/session/content', ({ session }) => session.sessionId)
fastify.get('/visitors/denied', guardHooks([[{ attribute: 'ROLE_ADMIN' }]]), () => 'never')
fastify.get('/credentials', async () => ({
  jwt: (await fastify.tokens.issue(alice)).accessToken,
  apikey: (await fastify.tokens.apiKeys.create(alice.identifier, { name: 'bench' })).token
}))

await serveMeasured(fastify)
