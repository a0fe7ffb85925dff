/**
 * The measured server: routes that are tools too, those that do nothing and those that read and write rows of SQLite, with
 * accounts in memory. `/credentials` gives a token of each kind.
 */
import svcDecorators, { Body, controller, Get, IsGranted, Param, Post } from 'svc-decorators'
import { application, createServer, defineConfig } from 'svc-host'
import svcMcp from 'svc-mcp'
import svcOrm, { defineEntity, type OrmPort } from 'svc-orm'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import svcSqlorm from 'svc-sqlorm'
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

const Article = defineEntity({ name: 'Article', schema: { title: text, body: text } })

@controller('/api/rows')
class Rows {
  readonly #articles

  constructor({ orm }: { orm: OrmPort }) {
    this.#articles = orm.repository(Article)
  }

  @Get('/', {
    tool: { name: 'list-rows', description: 'Lists articles.' },
    response: { type: 'array', items: article }
  })
  @IsGranted('ROLE_USER')
  list(): Promise<unknown> {
    return this.#articles.find({}, { limit: 20 })
  }

  @Get('/:id', { tool: { name: 'read-row', description: 'Reads an article.' }, response: article })
  @IsGranted('ROLE_USER')
  read(@Param('id') id: string): Promise<unknown> {
    return this.#articles.findOne({ id })
  }

  @Post('/', { tool: { name: 'add-row', description: 'Adds an article.' }, body: draft, response: article })
  @IsGranted('ROLE_USER')
  add(@Body() body: { title: string; body: string }): Promise<unknown> {
    return this.#articles.create(body)
  }
}

const alice = { identifier: 'alice', roles: ['ROLE_USER'] }

const config = defineConfig({
  name: 'bench',
  mode: 'production',
  server: { logger: false },
  modules: [
    [svcOrm, { parts: { entities: [Article] } }],
    [svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } }, frameworkEntities: false }],
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
    [svcDecorators, { controllers: [Articles, Rows] }]
  ]
})

export const fastify = await createServer(application(config, import.meta.url))
const rows = () => fastify.orm.repository(Article)
fastify.get('/credentials', async () => ({
  route: (await fastify.tokens.issue(alice)).accessToken,
  tool: (await fastify.tokens.issue(alice, { audience: AUDIENCE })).accessToken,
  row: (await rows().findOne({}))?.id
}))
await fastify.ready()
await rows().createMany(
  Array.from({ length: 100 }, (_, place) => ({ title: `Title ${place}`, body: 'The text of it' }))
)
await serveMeasured(fastify)
