/** The document, made when it is first asked for: every route and every zone is known by then. */
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { appHost, type RouteSecurity } from 'svc-kernel'
import { DescriptionFailed } from '../errors.ts'
import type { OpenapiConfig } from '../options.ts'
import { zoneLookup } from '../security/security-requirements.ts'
import { securitySchemes } from '../security/security-schemes.ts'
import { completeDocument } from './complete-document.ts'
import { describeOperation, type OperationSchema, socketRoute } from './describe-operation.ts'
import type { Document } from './document.ts'
import { SharedSchemas } from './shared-schemas.ts'

/** The decorator under which @fastify/swagger keeps only the routes; `fastify.swagger` is the whole document. */
const BARE = 'swaggerOfRoutes'

/** A last parameter that may be left out. OpenAPI knows none: the path is documented with it. */
const OPTIONAL = /\?$/

export class ApiDocument {
  readonly #fastify: FastifyInstance
  readonly #config: OpenapiConfig
  readonly #sockets: Array<{ readonly path: string; readonly svc: RouteSecurity }> = []
  readonly #shared = new SharedSchemas()
  #document: Document | null = null
  /** The route at which @fastify/swagger is: what it throws does not name it. */
  #at = ''

  constructor(fastify: FastifyInstance, config: OpenapiConfig) {
    this.#fastify = fastify
    this.#config = config
  }

  /** Collects the routes that are declared from now on. */
  async collect(): Promise<void> {
    await this.#fastify.register(swagger, this.#swaggerOptions())
    this.#fastify.addHook('onRoute', (route) => this.#note(route))
  }

  /** @throws DescriptionFailed (500) where the schemas of the routes do not fit together */
  get(): Document {
    if (this.#document !== null) return this.#document
    try {
      const descriptions = this.#fastify.apiDescriptions
      const zoneOf = zoneLookup(this.#fastify)
      const socketRoutes = this.#sockets.map(({ path, svc }) => socketRoute(path, svc, zoneOf))
      const names = socketRoutes.flatMap(({ security }) => security.flatMap((proof) => Object.keys(proof)))
      const schemes = securitySchemes(names, this.#config.securitySchemes)
      const routes = this.#shared.resolve(this.#fastify.getDecorator<() => Document>(BARE)())
      this.#document = completeDocument(routes, { descriptions, securitySchemes: schemes, socketRoutes })
      return this.#document
    } catch (error) {
      this.#fastify.log.error(
        { code: 'SVC_OPENAPI_FAILED', route: this.#at, err: error },
        'the API cannot be described'
      )
      throw new DescriptionFailed({ cause: error })
    }
  }

  #note({ url, config }: RouteOptions): void {
    const svc = config?.svc
    if (svc !== undefined && !svc.transports.includes('HTTP')) this.#sockets.push({ path: url, svc })
  }

  #swaggerOptions(): FastifyDynamicSwaggerOptions {
    const { title = appHost(this.#fastify).name, version, description, servers } = this.#config
    return {
      decorator: BARE as 'swagger',
      openapi: {
        openapi: '3.1.0',
        info: { title, version, ...(description === undefined ? {} : { description }) },
        ...(servers === undefined ? {} : { servers: servers.map((server) => ({ ...server })) })
      },
      stripBasePath: false,
      convertConstToEnum: false,
      refResolver: { buildLocalReference: this.#shared.name },
      transform: ({ schema, url, route, ...under }) => {
        this.#at = `${[route.method].flat().join(',')} ${route.url}`
        const zone = zoneLookup(this.#fastify)(route.url)
        const given = schema as unknown as OperationSchema | undefined
        const described = describeOperation(given, route.config?.svc, zone)
        if ('openapiObject' in under)
          this.#announce(under.openapiObject as { components?: object }, described.access.authenticators)
        return { schema: described.schema as typeof schema, url: url.replace(OPTIONAL, '') }
      }
    }
  }

  /** @fastify/swagger wants to know a scheme before the first operation that names it. */
  #announce(document: { components?: { securitySchemes?: object } }, authenticators: readonly string[]): void {
    const known = document.components?.securitySchemes
    document.components = {
      ...document.components,
      securitySchemes: { ...known, ...securitySchemes(authenticators, this.#config.securitySchemes) }
    }
  }
}
