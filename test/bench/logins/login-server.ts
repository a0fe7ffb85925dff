/** The measured server: users who cannot log in for each cause, hashes of the default cost, no throttle. */
import Fastify from 'fastify'
import svcSecurity, { hashPassword } from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import { serveMeasured } from '../measured/measured-server.ts'
import { PASSWORD } from './failures.ts'

const password = await hashPassword(PASSWORD)
const users = new Map(
  [
    { identifier: 'alice', password },
    { identifier: 'locked', password, locked: true },
    { identifier: 'disabled', password, enabled: false },
    { identifier: 'passwordless', password: null }
  ].map((user) => [user.identifier, { roles: [], ...user }])
)

const fastify = Fastify({ logger: false })
await fastify.register(svcSecurity, {
  areas: { basic: { pattern: '^/basic', authenticators: ['userpassword'] } },
  session: {},
  jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
  rateLimit: { enabled: false },
  parts: { users: { findByIdentifier: (name: string) => users.get(name) ?? null } }
})
fastify.get('/basic', () => 'ok')

await serveMeasured(fastify)
