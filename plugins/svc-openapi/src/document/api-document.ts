/**
 * The document, made when it is first asked for: every route and every zone is known by then. Where the application has
 * registered @fastify/swagger itself, before this plugin or after it, its document is completed; else one of our own is.
 */
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { appHost, inProduction } from 'svc-kernel'
import { errorsOfRoute, requirementOf } from 'svc-kernel/plugin'
import { documentSource, type ServedDocument } from '../documents.ts'
import { DescriptionFailed } from '../errors.ts'
import type { OpenapiConfig } from '../options.ts'
import { proofLookup, zoneLookup } from '../security/security-requirements.ts'
import { securitySchemes } from '../security/security-schemes.ts'
import { completeDocument } from './complete-document.ts'
import { describeOperation, type OperationSchema } from './describe-operation.ts'
import type { Document, WholeDocument } from './document.ts'
import { exampleFaults } from './examples.ts'
import { describeSchemas } from './schema-parts.ts'
import { administratorsOperations, selectDocument } from './selection.ts'
import { SharedSchemas } from './shared-schemas.ts'
import { answersSockets, type DescribedSocket, describeSocket, schemasOf } from './socket-route.ts'

/** The decorator under which our @fastify/swagger keeps only the routes; `fastify.swagger` is the whole document. */
const BARE = 'swaggerOfRoutes'

type Swagger = FastifyInstance['swagger']
type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>

/** A last parameter that may be left out. OpenAPI knows none: the path is documented with it. */
const OPTIONAL = /\?$/

export class ApiDocument {
  readonly #fastify: FastifyInstance
  readonly #config: OpenapiConfig
  readonly #main: ServedDocument
  readonly #shared = new SharedSchemas()
  readonly #routes: RouteOptions[] = []
  #document: WholeDocument | null = null
  readonly #selected = new Map<ServedDocument, WholeDocument>()
  /** `fastify.swagger` of the application's own @fastify/swagger. */
  #theirs: Swagger | null = null
  /** The route at which @fastify/swagger is: what it throws does not name it. */
  #at = ''

  /** @param main what `fastify.swagger` returns */
  constructor(fastify: FastifyInstance, config: OpenapiConfig, main: ServedDocument) {
    this.#fastify = fastify
    this.#config = config
    this.#main = main
  }

  /** Collects the routes that are declared from now on, and decorates `fastify.swagger` when all are there. */
  async collect(): Promise<void> {
    await this.#fastify.register(swagger, this.#swaggerOptions())
    for (const { options } of this.#fastify.declaredRoutes) this.#note(options)
    this.#fastify.addHook('onRoute', (route) => this.#note(route))
    this.#fastify.addHook('onReady', async () => {
      this.#join()
      this.#warn()
    })
  }

  /** `fastify.swagger` of a document. */
  swaggerOf(served: ServedDocument): Swagger {
    return documentSource(() => this.documentOf(served)) as unknown as Swagger
  }

  /** The operations that the document selects. @throws DescriptionFailed */
  documentOf(served: ServedDocument): Document {
    const { 'x-channels': _, ...document } = this.selectedBy(served)
    return document
  }

  /** With what OpenAPI has no place for. @throws DescriptionFailed */
  selectedBy(served: ServedDocument): WholeDocument {
    const selected = this.#selected.get(served) ?? this.#select(served)
    this.#selected.set(served, selected)
    return selected
  }

  #select({ name, title, description, selection }: ServedDocument): WholeDocument {
    const document = selectDocument(this.#whole(), selection, administratorsOperations(this.#routes))
    if (name === '') return document
    const { info } = document
    return {
      ...document,
      info: { ...info, title: title ?? `${info?.title}: ${name}`, ...(description && { description }) }
    }
  }

  /** @throws DescriptionFailed (500) where the schemas of the routes do not fit together */
  #whole(): WholeDocument {
    if (this.#document !== null) return this.#document
    try {
      const descriptions = this.#fastify.apiDescriptions
      const described = this.#described()
      const sockets = this.#socketsOf(described)
      const socketRoutes = sockets.map(({ route }) => route)
      const names = socketRoutes.flatMap(({ security }) => security.flatMap((proof) => Object.keys(proof)))
      const schemes = this.#schemes(names)
      const schemas = Object.assign({}, ...sockets.map(({ components }) => components), described.components?.schemas)
      const document = { ...described, components: { ...described.components, schemas } }
      this.#document = completeDocument(document, { descriptions, securitySchemes: schemes, socketRoutes })
      if (!inProduction(this.#fastify)) this.#judgeExamples(this.#document)
      return this.#document
    } catch (error) {
      this.#fastify.log.error(
        { code: 'SVC_OPENAPI_FAILED', route: this.#at, err: error },
        'the API cannot be described'
      )
      throw new DescriptionFailed({ cause: error })
    }
  }

  /** In development, and once. */
  #judgeExamples(document: Document): void {
    const { log } = this.#fastify
    exampleFaults(document).then(
      (faults) => {
        if (faults.length === 0) return
        const examples = faults.map(({ operation, at, text }) => `${operation} ${at}: ${text}`)
        log.warn({ code: 'SVC_OPENAPI_EXAMPLE', examples }, 'examples of the API description leave their schemas')
      },
      (error) => log.warn({ err: error }, 'the examples of the API description could not be checked')
    )
  }

  /** The routes as @fastify/swagger describes them: that of the application, where it writes OpenAPI. */
  #described(): Document {
    const theirs = this.#theirs?.() as Document | undefined
    if (theirs !== undefined && isOpenapi(theirs)) return { ...theirs, openapi: VERSION }
    return this.#shared.resolve(this.#fastify.getDecorator<() => Document>(BARE)())
  }

  /** One that answers HTTP too is left out with its operation. */
  #socketsOf({ paths = {}, components = {} }: Document): DescribedSocket[] {
    if (this.#theirs !== null) this.#shared.learn(components.schemas ?? {})
    const zoneOf = zoneLookup(this.#fastify)
    const shown = new Set(Object.values(paths).flatMap((item) => Object.values(item).map((each) => each.operationId)))
    return this.#shared.resolve(
      this.#routes
        .filter(answersSockets)
        .map((route) => describeSocket(route, zoneOf))
        .filter(({ operationId }) => operationId === null || shown.has(operationId))
    )
  }

  #join(): void {
    const swagger = this.swaggerOf(this.#main)
    if (!this.#fastify.hasDecorator('swagger')) {
      this.#fastify.decorate('swagger', swagger)
      return
    }
    const theirs = this.#fastify.swagger
    this.#theirs = theirs
    // A document of Swagger 2 has no place for what is added here.
    this.#fastify.swagger = ((asked) => (isOpenapi(theirs()) ? swagger : theirs)(asked as { yaml: boolean })) as Swagger
  }

  /** Routes of plugins and controllers bring their description along, into whichever document describes them. */
  #note(route: RouteOptions): void {
    this.#routes.push(route)
    const { svc, swaggerTransform } = route.config ?? {}
    if (svc === undefined) return
    const describe: Transform = (given) =>
      this.#describe(swaggerTransform ? { ...given, ...swaggerTransform(given) } : given)
    route.config = { ...route.config, swaggerTransform: describe } as NonNullable<RouteOptions['config']>
  }

  /** Which schemas the document cannot describe, and why, once and at boot. */
  #warn(): void {
    const missing = this.#routes.flatMap((route) => {
      const { notes } = describeSchemas(schemasOf(route), '')
      return notes.map((note) => `${labelOf(route)}: ${note}`)
    })
    if (missing.length === 0) return
    this.#fastify.log.warn({ code: 'SVC_OPENAPI_SCHEMA', schemas: missing }, 'the API description omits schemas')
  }

  #swaggerOptions(): FastifyDynamicSwaggerOptions {
    const { title = appHost(this.#fastify).name, version, description, servers } = this.#config
    return {
      decorator: BARE as 'swagger',
      openapi: {
        openapi: VERSION,
        info: { title, version, ...(description === undefined ? {} : { description }) },
        ...(servers === undefined ? {} : { servers: servers.map((server) => ({ ...server })) })
      },
      stripBasePath: false,
      convertConstToEnum: false,
      refResolver: { buildLocalReference: this.#shared.name },
      transform: (given) => this.#describe(given)
    }
  }

  #describe({ schema, url, route, ...under }: Parameters<Transform>[0]): ReturnType<Transform> {
    this.#at = labelOf(route)
    const zone = zoneLookup(this.#fastify)(route.url)
    const { svc } = route.config ?? {}
    // Listed beside the paths: OpenAPI has no word for it.
    if (svc?.transports.includes('HTTP') === false) return { schema: { hide: true } as object, url }
    const schemas = describeSchemas((schema ?? {}) as OperationSchema, svc?.name ?? this.#at)
    // Swagger 2 has other words for who may call.
    if (!('openapiObject' in under)) return { schema: schemas.schema as typeof schema, url }
    // With what `config.proof` asks besides.
    const guarded = svc && { ...svc, requirement: requirementOf(route) }
    const described = describeOperation(schemas.schema, guarded, zone, errorsOfRoute(route))
    const document = under.openapiObject as unknown as Document
    Object.assign(document.components?.schemas ?? {}, schemas.components)
    this.#announce(document, described.access.authenticators)
    return { schema: described.schema as typeof schema, url: url.replace(OPTIONAL, '') }
  }

  #schemes(authenticators: readonly string[]) {
    return securitySchemes(authenticators, this.#config.securitySchemes, proofLookup(this.#fastify))
  }

  /** @fastify/swagger wants to know a scheme before the first operation that names it. */
  #announce(document: Document, authenticators: readonly string[]): void {
    const known = document.components?.securitySchemes
    document.components = {
      ...document.components,
      securitySchemes: { ...known, ...this.#schemes(authenticators) }
    }
  }
}

const VERSION = '3.1.0'

function isOpenapi(document: object): boolean {
  return 'openapi' in document
}

function labelOf({ method, url }: Pick<RouteOptions, 'method' | 'url'>): string {
  return `${[method].flat().join(',')} ${url}`
}
