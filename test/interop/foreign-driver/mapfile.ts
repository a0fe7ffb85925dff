/**
 * The driver as a Fastify plugin: offers its database to entities and to every store before the plugins that use them
 * register, opens it before the application takes requests, and closes it after the last one.
 */
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from 'svc-kernel'
import { ensureOrm } from 'svc-orm'
import { ensureStores } from 'svc-stores'
import { FileDatabase } from './file-database.ts'

export type MapfileOptions = { readonly file: string; readonly clock: Clock }

const mapfile: FastifyPluginAsync<MapfileOptions> = async (fastify, { file, clock }) => {
  await ensureOrm(fastify, { clock })
  await ensureStores(fastify, { clock })
  const database = new FileDatabase(file, clock)
  fastify.orm.addConnector(database)
  fastify.stores.addDatabase('mapfile', database)
  fastify.healthChecks.add(`database ${database.name}`, async () => void database.snapshot())
  fastify.addHook('onReady', () => database.open())
  fastify.addHook('onClose', () => database.close())
}

export default fp(mapfile, { name: 'mapfile', fastify: '5.x' })
