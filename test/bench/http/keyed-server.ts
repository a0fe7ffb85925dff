/**
 * The measured server of the cases with an API key: accounts and keys in memory, and a journal that somebody listens to,
 * so that each refusal becomes an event. `/credentials` gives the key that the load presents.
 */
import svcAudit from 'svc-audit'
import svcDecorators, { controller, Get, IsGranted } from 'svc-decorators'
import { application, createServer, defineConfig } from 'svc-host'
import svcSecurity from 'svc-security'
import { serveMeasured } from '../measured/measured-server.ts'

@controller('/keyed')
class KeyedController {
  @Get('/hello')
  @IsGranted('ROLE_MEMBER')
  hello(): unknown {
    return { hello: 'world', pid: process.pid }
  }

  @Get('/denied')
  @IsGranted('ROLE_OWNER')
  denied(): unknown {
    return { hello: 'world', pid: process.pid }
  }
}

const alice = { identifier: 'alice', roles: ['ROLE_MEMBER'] }

const config = defineConfig({
  name: 'bench',
  mode: 'production',
  server: { logger: false },
  modules: [
    svcAudit,
    [
      svcSecurity,
      {
        areas: { keyed: { pattern: '^/keyed', authenticators: ['apikey'] } },
        parts: { users: { findByIdentifier: (name: string) => (name === alice.identifier ? alice : null) } }
      }
    ],
    [svcDecorators, { controllers: [KeyedController] }]
  ]
})

export const fastify = await createServer(application(config, import.meta.url))
fastify.audit.subscribe(() => undefined)
fastify.get('/credentials', async () => (await fastify.tokens.apiKeys.create('alice', { name: 'bench' })).token)
await serveMeasured(fastify)
