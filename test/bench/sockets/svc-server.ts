/** The measured server: svc-realtime behind the firewall. `/credentials` gives the cookie of a session. */
import Fastify from 'fastify'
import svcRealtime from 'svc-realtime'
import svcSecurity, { hashPassword } from 'svc-security'
import { serveMeasured } from '../measured/measured-server.ts'

const USER = { username: 'alice', password: 'a password of a bench' }

const password = await hashPassword(USER.password)
const alice = { identifier: USER.username, roles: ['ROLE_USER'], password }
const fastify = Fastify({ logger: false })
await fastify.register(svcSecurity, {
  areas: { realtime: { pattern: '^/svc/realtime', authenticators: ['session', 'anonymous'] } },
  parts: { users: { findByIdentifier: (name: string) => (name === alice.identifier ? alice : null) } }
})
await fastify.register(svcRealtime)
fastify.get('/credentials', async () => {
  const login = await fastify.inject({ method: 'POST', url: '/svc/security/api/auth/login', payload: USER })
  return { cookie: String(login.headers['set-cookie']).split(';')[0] }
})

await serveMeasured(fastify)
