/**
 * svc-openapi: the API as its routes declare it. An OpenAPI 3.1 document made
 * from the compiled routes, guards as security requirements, and the reference
 * page, served by the application itself.
 *
 * Decorates  fastify.swagger
 * Hooks      onRoute: notes the routes that are declared after it
 *            onReady: joins the @fastify/swagger of the application, where there is one
 * Needs      nothing (svc-kernel is added when absent); svc-security, where present, provides zones and proofs
 */
import type { FastifyPluginAsync } from 'fastify'
import { definePlugin, ensureKernel, inProduction, readOptions } from 'svc-kernel'
import { ApiDocument } from './document/api-document.ts'
import { type OpenapiConfig, optionsSchema, type SvcOpenapiOptions } from './options.ts'
import { descriptionRoutes } from './page/description.routes.ts'

const openapi: FastifyPluginAsync<SvcOpenapiOptions> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<OpenapiConfig>('svc-openapi', optionsSchema, given)
  const document = new ApiDocument(fastify, config)
  await document.collect()
  const open = config.open ?? !inProduction(fastify)
  await fastify.register((scope) => descriptionRoutes(scope, { config, open, document }), { prefix: config.path })
}

const svcOpenapi: FastifyPluginAsync<SvcOpenapiOptions> = definePlugin(openapi, { name: 'svc-openapi', optionsSchema })

export default svcOpenapi

export type { Document, Operation } from './document/document.ts'
export * from './errors.ts'
export type { SecurityScheme, SvcOpenapiOptions } from './options.ts'
