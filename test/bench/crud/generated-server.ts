/** The list as `svc create entity` writes it. */
import { fastify as createFastify } from 'fastify'
import svcDecorators, { controller, Get, Query, WebSocket } from 'svc-decorators'
import svcOrm, { type CrudQuery, crud, type OrmPort } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { serveMeasured } from '../measured/measured-server.ts'
import { Article, rows } from './article.ts'

const { routes, page } = crud(Article)

@controller('/api/articles')
class ArticlesController {
  readonly #articles

  constructor({ orm }: { orm: OrmPort }) {
    this.#articles = orm.repository(Article)
  }

  @Get('/', routes.list)
  @WebSocket('/', routes.list)
  list(@Query() query: CrudQuery) {
    return page(this.#articles, query)
  }
}

const fastify = createFastify()
await fastify.register(svcOrm, { parts: { entities: [Article] } })
await fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } }, frameworkEntities: false })
await fastify.register(svcDecorators, { controllers: [ArticlesController] })
await fastify.ready()
await fastify.orm.repository(Article).createMany(rows)
await serveMeasured(fastify)
