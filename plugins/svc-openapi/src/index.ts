/**
 * svc-openapi: describes the API from its routes. It builds an OpenAPI 3.1 document from the compiled routes, with
 * guards as security requirements, and serves it with a reference page; and an AsyncAPI 3 document of its WebSockets.
 *
 * Decorates  fastify.swagger, fastify.apiDocuments, fastify.asyncApiDocuments
 * Hooks      onRoute: records routes that are declared after it
 *            onReady: joins the application's own @fastify/swagger, if there is one
 * Needs      nothing (svc-kernel is added when absent); with svc-security it also describes zones and authenticators
 */
import type { FastifyPluginAsync } from 'fastify'
import { definePlugin, ensureKernel, inProduction, readOptions } from 'svc-kernel'
import { type AsyncApiDocument, asyncApiDocument } from './asyncapi/async-api-document.ts'
import { ApiDocument } from './document/api-document.ts'
import {
  type ApiDocumentSource,
  apiDocumentSource,
  type DocumentSource,
  documentSource,
  furtherDocuments,
  mainDocument,
  type ServedDocument
} from './documents.ts'
import { type OpenapiConfig, optionsSchema, type SvcOpenapiOptions } from './options.ts'
import { descriptionRoutes } from './page/description.routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** With svc-openapi, its documents by name; `main` is that of `fastify.swagger`. Each is there after `ready()`. */
    apiDocuments: ReadonlyMap<string, ApiDocumentSource>
    /** With svc-openapi, the AsyncAPI documents by the same names: WebSocket routes, channels and webhooks. */
    asyncApiDocuments: ReadonlyMap<string, DocumentSource<AsyncApiDocument>>
  }
}

const openapi: FastifyPluginAsync<SvcOpenapiOptions> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<OpenapiConfig>('svc-openapi', optionsSchema, given)
  const { page } = config
  const main = mainDocument(config, config.open ?? !inProduction(fastify))
  const document = new ApiDocument(fastify, config, main)
  await document.collect()
  const documents = [main, ...furtherDocuments(config)]
  const made = documents.map(
    (served) => [served.name || 'main', apiDocumentSource(() => document.documentOf(served))] as const
  )
  fastify.decorate('apiDocuments', new Map(made))
  const asyncApis = documents.map((served) => [served, documentSource(asyncApiOf(document, served))] as const)
  fastify.decorate('asyncApiDocuments', new Map(asyncApis.map(([{ name }, asyncApi]) => [name || 'main', asyncApi])))
  for (const [served, asyncApi] of asyncApis) {
    await fastify.register((scope) => descriptionRoutes(scope, { served, page, document, asyncApi }), {
      prefix: served.path
    })
  }
}

/** Made when it is first asked for: every route is known by then. */
function asyncApiOf(document: ApiDocument, served: ServedDocument): () => AsyncApiDocument {
  let made: AsyncApiDocument | undefined
  return () => {
    made ??= asyncApiDocument(document.selectedBy(served))
    return made
  }
}

const svcOpenapi: FastifyPluginAsync<SvcOpenapiOptions> = definePlugin(openapi, { name: 'svc-openapi', optionsSchema })

export default svcOpenapi

export type { AsyncApiDocument } from './asyncapi/async-api-document.ts'
export type { Document, Operation } from './document/document.ts'
export type { ExampleFault } from './document/examples.ts'
export type { ApiDocumentSource, DocumentSource } from './documents.ts'
export * from './errors.ts'
export type { SecurityScheme, SvcOpenapiOptions } from './options.ts'
