/** The same list by hand: a Fastify route, Kysely, schemas for the query and the answer; no repository, no controller. */
import { fastify as createFastify } from 'fastify'
import svcOrm from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { serveMeasured } from '../measured/measured-server.ts'
import { Article, rows } from './article.ts'

interface Tables {
  article: { id: string; title: string; body: string; reads: number }
}

interface PageQuery {
  readonly limit: number
  readonly offset: number
  readonly reads?: number
}

const row = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    body: { type: 'string' },
    reads: { type: 'integer' }
  }
}
const schema = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', default: 25, maximum: 100 },
      offset: { type: 'integer', default: 0 },
      reads: { type: 'integer' }
    }
  },
  response: {
    200: {
      type: 'object',
      properties: {
        items: { type: 'array', items: row },
        limit: { type: 'integer' },
        offset: { type: 'integer' },
        hasNext: { type: 'boolean' },
        total: { type: 'integer' }
      }
    }
  }
}

const fastify = createFastify()
// They make the table and open the file; the route below goes past them.
await fastify.register(svcOrm, { parts: { entities: [Article] } })
await fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } }, frameworkEntities: false })
fastify.get<{ Querystring: PageQuery }>('/api/articles', { schema }, async ({ query: { limit, offset, reads } }) => {
  const db = fastify.sqlorm.kysely<Tables>()
  let page = db.selectFrom('article').select(['id', 'title', 'body', 'reads']).orderBy('id').limit(limit).offset(offset)
  let count = db.selectFrom('article').select((eb) => eb.fn.countAll<number>().as('total'))
  if (reads !== undefined) {
    page = page.where('reads', '=', reads)
    count = count.where('reads', '=', reads)
  }
  const [items, { total }] = await Promise.all([page.execute(), count.executeTakeFirstOrThrow()])
  return { items, limit, offset, hasNext: offset + items.length < total, total }
})
await fastify.ready()
await fastify.orm.repository(Article).createMany(rows)
await serveMeasured(fastify)
