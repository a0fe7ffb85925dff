/** The measured server: routes that take a body from anybody, and a generated create, which takes up to a megabyte. */
import Fastify from 'fastify'
import { crud } from 'svc-orm'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import { Article } from '../crud/article.ts'
import { serveMeasured } from '../measured/measured-server.ts'

const fastify = Fastify({ logger: false })
await fastify.register(svcSecurity, {
  areas: {},
  session: {},
  jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
  parts: { users: { findByIdentifier: () => null } }
})
fastify.post('/api/articles', { ...crud(Article).routes.create, config: { svc: articleRoute() } }, async () => 'taken')

await serveMeasured(fastify)

/** As a controller's route carries it. */
function articleRoute() {
  return {
    name: 'articles.create',
    requirement: null,
    anonymous: false,
    bypassFirewall: false,
    transports: ['HTTP' as const],
    source: null
  }
}
