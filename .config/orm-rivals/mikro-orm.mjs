/** MikroORM on the table that the repositories made; a fork per call, as it asks for. */
import { EntitySchema, MikroORM, raw } from '@mikro-orm/core'
import { PostgreSqlDriver } from '@mikro-orm/postgresql'
import { NodeSqliteDialect, SqliteDriver } from '@mikro-orm/sql'

const Article = new EntitySchema({
  name: 'Article',
  tableName: 'article',
  properties: {
    id: { type: 'string', primary: true },
    title: { type: 'string' },
    body: { type: 'text' },
    stars: { type: 'integer' }
  }
})

export async function openSide({ engine, target }) {
  const where =
    engine === 'sqlite'
      ? { driver: SqliteDriver, dbName: target, driverOptions: new NodeSqliteDialect(target) }
      : { driver: PostgreSqlDriver, clientUrl: target }
  const orm = await MikroORM.init({ ...where, entities: [Article] })
  if (engine === 'sqlite') await orm.em.getConnection().execute('pragma synchronous = normal')
  return {
    find: (id) => orm.em.fork().findOne('Article', { id }),
    insert: (row) => orm.em.fork().insert('Article', { ...row }),
    list: (stars) =>
      orm.em
        .fork()
        .find('Article', { stars: { $gte: stars } }, { orderBy: [{ title: 'asc' }, { id: 'asc' }], limit: 20 }),
    addStar: (id) => orm.em.fork().nativeUpdate('Article', { id }, { stars: raw('stars + 1') }),
    groups: () =>
      orm.em
        .fork()
        .createQueryBuilder('Article')
        .select(['stars', raw('count(*) as "rows"')])
        .groupBy('stars')
        .orderBy({ stars: 'asc' })
        .execute('all'),
    close: () => orm.close()
  }
}
