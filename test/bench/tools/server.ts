/** The measured server: routes that are tools too, with accounts in memory. `/credentials` gives a token of each kind. */
import svcDecorators, { Body, controller, Get, IsGranted, Param, Post } from 'svc-decorators'
import { application, createServer, defineConfig } from 'svc-host'
import svcMcp from 'svc-mcp'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import { serveMeasured } from '../measured/measured-server.ts'

const AUDIENCE = 'https://bench.example/mcp'

const text = { type: 'string' } as const
const article = { type: 'object', properties: { id: text, title: text, body: text } } as const
const draft = {
  type: 'object',
  required: ['title', 'body'],
  additionalProperties: false,
  properties: { title: text, body: text }
} as const

@controller('/api/articles')
class Articles {
  @Get('/:id', { tool: { name: 'read', description: 'Reads an article.' }, response: article })
  @IsGranted('ROLE_USER')
  read(@Param('id') id: string): unknown {
    return { id, title: 'A title', body: 'The text of an article' }
  }

  @Post('/', { tool: { name: 'add', description: 'Adds an article.' }, body: draft, response: article })
  @IsGranted('ROLE_USER')
  add(@Body() body: { title: string; body: string }): unknown {
    return { id: '1', ...body }
  }
}

const alice = { identifier: 'alice', roles: ['ROLE_USER'] }

const config = defineConfig({
  name: 'bench',
  mode: 'production',
  server: { logger: false },
  modules: [
    [
      svcSecurity,
      {
        areas: {
          mcp: { pattern: '^/mcp$', authenticators: ['jwt'], audience: AUDIENCE },
          api: { pattern: '^/api', authenticators: ['jwt'] }
        },
        jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
        parts: { users: { findByIdentifier: (name: string) => (name === alice.identifier ? alice : null) } }
      }
    ],
    [svcMcp, { hosts: ['127.0.0.1'] }],
    [svcDecorators, { controllers: [Articles] }]
  ]
})

export const fastify = await createServer(application(config, import.meta.url))
fastify.get('/credentials', async () => ({
  route: (await fastify.tokens.issue(alice)).accessToken,
  tool: (await fastify.tokens.issue(alice, { audience: AUDIENCE })).accessToken
}))
await serveMeasured(fastify)
