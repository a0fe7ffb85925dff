/**
 * svc-openapi: the API as its routes declare it. An OpenAPI 3.1 document made
 * from the compiled routes, guards as security requirements, and the reference
 * page, served by the application itself.
 *
 * Decorates  fastify.swagger (of @fastify/swagger), fastify.openapi
 * Hooks      onRoute: notes the routes that are declared after it
 * Needs      nothing (svc-kernel is added when absent); svc-security, where present, tells zones and proofs
 */
import type { FastifyPluginAsync } from 'fastify'
import { appHost, definePlugin, ensureKernel, readOptions } from 'svc-kernel'
import { ApiDocument } from './document/api-document.ts'
import type { Document } from './document/document.ts'
import { type OpenapiConfig, optionsSchema, type SvcOpenapiOptions } from './options.ts'
import { descriptionRoutes } from './page/description.routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI 3.1 document. Complete after `ready()`; throws DescriptionFailed where it cannot be made. */
    openapi(): Document
  }
}

const openapi: FastifyPluginAsync<SvcOpenapiOptions> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<OpenapiConfig>('svc-openapi', optionsSchema, given)
  const document = new ApiDocument(fastify, config)
  await document.collect()
  fastify.decorate('openapi', () => document.get())
  const open = config.open ?? appHost(fastify).mode !== 'production'
  await fastify.register((scope) => descriptionRoutes(scope, { document, config, open }), { prefix: config.prefix })
}

const svcOpenapi: FastifyPluginAsync<SvcOpenapiOptions> = definePlugin(openapi, { name: 'svc-openapi', optionsSchema })

export default svcOpenapi

export type { Document, Operation } from './document/document.ts'
export * from './errors.ts'
export type { SecurityScheme, SvcOpenapiOptions } from './options.ts'
