/** Our repositories, Kysely and `pg` by themselves, and other ORMs, all on one table. */
import Fastify from 'fastify'
import pg from 'pg'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import type { ArticleRow, Place, Side } from './side.ts'

const ARTICLE = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, body: { type: 'text' }, stars: { type: 'integer' } },
  indexes: [{ fields: ['title'] }]
})

export interface OurSides {
  readonly repository: Side
  /** Kysely on the same connection. */
  readonly kysely: Side
  fill(rows: number): Promise<readonly string[]>
}

export async function ourSides({ engine, target }: Place): Promise<OurSides> {
  const fastify = Fastify()
  const connector = engine === 'sqlite' ? { url: `sqlite:${target}`, synchronous: 'normal' as const } : { url: target }
  await fastify.register(svcOrm, { parts: { entities: [ARTICLE] } })
  await fastify.register(svcSqlorm, { connectors: { default: connector } })
  await fastify.ready()
  const articles = fastify.orm.repository(ARTICLE)
  const db = fastify.sqlorm.kysely<{ article: ArticleRow }>()
  const columns = ['id', 'title', 'body', 'stars'] as const
  return {
    repository: {
      find: (id) => articles.findOne({ id }),
      insert: ({ id: _id, ...values }) => articles.create(values),
      list: (stars) => articles.find({ stars: { $gte: stars } }, { order: [['title', 'ASC']], limit: 20 }),
      addStar: (id) => articles.updateMany({ id }, { stars: { $add: 1 } }),
      groups: () => articles.groupBy({}, { by: ['stars'], measures: { rows: { count: true } } }),
      close: () => fastify.close()
    },
    kysely: {
      find: (id) => db.selectFrom('article').select(columns).where('id', '=', id).executeTakeFirst(),
      insert: (row) => db.insertInto('article').values(row).execute(),
      list: (stars) =>
        db
          .selectFrom('article')
          .select(columns)
          .where('stars', '>=', stars)
          .orderBy('title')
          .orderBy('id')
          .limit(20)
          .execute(),
      addStar: (id) =>
        db
          .updateTable('article')
          .set((eb) => ({ stars: eb('stars', '+', 1) }))
          .where('id', '=', id)
          .execute(),
      groups: () =>
        db
          .selectFrom('article')
          .select(['stars', (eb) => eb.fn.countAll().as('rows')])
          .groupBy('stars')
          .orderBy('stars')
          .execute(),
      close: async () => undefined
    },
    async fill(rows) {
      const values = Array.from({ length: rows }, (_, index) => ({
        title: `title ${(index * 7919) % rows}`,
        body: 'a body of some length '.repeat(20),
        stars: index % 10
      }))
      return (await articles.createMany(values)).map(({ id }) => id)
    }
  }
}

export async function barePg({ target }: Place): Promise<Side> {
  const pool = new pg.Pool({ connectionString: target, max: 10 })
  const columns = '"id", "title", "body", "stars"'
  return {
    find: async (id) => (await pool.query(`select ${columns} from article where id = $1`, [id])).rows[0],
    insert: ({ id, title, body, stars }) =>
      pool.query(`insert into article (${columns}) values ($1, $2, $3, $4)`, [id, title, body, stars]),
    list: async (stars) =>
      (await pool.query(`select ${columns} from article where stars >= $1 order by title, id limit $2`, [stars, 20]))
        .rows,
    addStar: (id) => pool.query('update article set stars = stars + 1 where id = $1', [id]),
    groups: async () =>
      (await pool.query('select stars, count(*) as rows from article group by stars order by stars')).rows,
    close: () => pool.end()
  }
}

/** Kept apart from the packages of the repository, see `.config/orm-rivals`. */
export async function rival(name: 'drizzle' | 'mikro-orm' | 'typeorm', place: Place): Promise<Side> {
  const file = new URL(`../../../../.config/orm-rivals/${name}.mjs`, import.meta.url)
  const module: unknown = await import(file.href)
  if (!isRival(module)) throw new TypeError(`${name} offers no side`)
  return module.openSide(place)
}

function isRival(module: unknown): module is { openSide(place: Place): Promise<Side> } {
  return typeof module === 'object' && module !== null && 'openSide' in module && typeof module.openSide === 'function'
}
