/** Our repositories, Kysely and `pg` by themselves, and other ORMs, all on the same tables. */
import Fastify from 'fastify'
import svcOrm from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { kyselySide } from './kysely-side.ts'
import { pgSide } from './pg-side.ts'
import type { Place, Side } from './side.ts'
import { svcSide } from './svc-side.ts'
import { ENTITIES, type Filled, fillTables, type Stocked, stockedIn, type Tables } from './tables.ts'

/** By name; `bare` is the one that the others are measured by: Kysely on SQLite, `pg` on PostgreSQL. */
export type Sides = ReadonlyMap<string, Side>

export interface OpenSides {
  readonly sides: Sides
  readonly filled: Filled
  readonly stocked: Stocked
}

export async function openSides(place: Place): Promise<OpenSides> {
  const { engine, target } = place
  const fastify = Fastify()
  const connector = engine === 'sqlite' ? { url: `sqlite:${target}`, synchronous: 'normal' as const } : { url: target }
  await fastify.register(svcOrm, { parts: { entities: ENTITIES } })
  await fastify.register(svcSqlorm, { connectors: { default: connector }, frameworkEntities: false })
  await fastify.ready()
  const filled = await fillTables(fastify, engine)
  const kysely = kyselySide(fastify.sqlorm.kysely<Tables>(), place)
  const own: [string, Side][] =
    engine === 'sqlite'
      ? [['bare', kysely]]
      : [
          ['bare', pgSide(place)],
          ['Kysely', kysely]
        ]
  const sides = new Map<string, Side>([
    ...own,
    ['svc', svcSide(fastify, place)],
    ['Drizzle', await rival('drizzle', place)],
    ['MikroORM', await rival('mikro-orm', place)],
    ['TypeORM', await rival('typeorm', place)]
  ])
  return { sides, filled, stocked: stockedIn(fastify) }
}

/** Kept apart from the packages of the repository, see `.config/orm-rivals`. */
async function rival(name: 'drizzle' | 'mikro-orm' | 'typeorm', place: Place): Promise<Side> {
  const file = new URL(`../../../../.config/orm-rivals/${name}.mjs`, import.meta.url)
  const module: unknown = await import(file.href)
  if (!isRival(module)) throw new TypeError(`${name} offers no side`)
  return module.openSide(place)
}

function isRival(module: unknown): module is { openSide(place: Place): Promise<Side> } {
  return typeof module === 'object' && module !== null && 'openSide' in module && typeof module.openSide === 'function'
}
