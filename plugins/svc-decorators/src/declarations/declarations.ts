/**
 * What decorators leave on a class: facts as they were written, checked only when the class is compiled. They are kept
 * under one symbol of the class itself, shared by name, so that two copies of this package read the same class alike.
 */
import type {
  FastifyContextConfig,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  RouteShorthandOptions
} from 'fastify'

/** Fastify's hooks of one route; the guard of the route runs before all of them. */
type RouteHooks = Pick<
  RouteShorthandOptions,
  | 'onRequest'
  | 'preParsing'
  | 'preValidation'
  | 'preHandler'
  | 'preSerialization'
  | 'onSend'
  | 'onResponse'
  | 'onTimeout'
  | 'onError'
  | 'onRequestAbort'
  | 'errorHandler'
>

/** What else a route of Fastify may say for itself. */
type RouteChoices = Pick<
  RouteShorthandOptions,
  'bodyLimit' | 'constraints' | 'logLevel' | 'attachValidation' | 'schemaErrorFormatter' | 'handlerTimeout'
>

/** Fastify route options that a controller route may set. The handler is the compiler's. */
export interface RouteSettings extends RouteHooks, RouteChoices {
  /** Fastify takes it in every 5.x, and declares its type in the newer ones only. */
  // biome-ignore lint/suspicious/noExplicitAny: as Fastify declares it
  logSerializers?: Record<string, (value: any) => any>
  /** Compiles the schemas of this route, its messages included. Default: the server's. */
  validatorCompiler?: FastifySchemaCompiler<unknown>
  /** Compiles how its answers are written, those to messages included. Default: the server's. */
  serializerCompiler?: FastifySerializerCompiler<unknown>
  /** JSON schemas by part. On a WEBSOCKET route `body` is the message and `response[200]` its answer. */
  schema?: FastifySchema
  /** Fastify's route config, for other plugins; `svc` is ours. */
  config?: Omit<FastifyContextConfig, 'svc'> & Record<string, unknown>
  /** Default: the server's `exposeHeadRoutes`. */
  exposeHeadRoute?: boolean
}

/** How a decorator was written, and where. */
export interface Written {
  /** As shown in messages: `@IsGranted('ROLE_USER')`. */
  readonly decorator: string
  /** `file:line`; `null` where the stack has no place. */
  readonly source: string | null
}

export interface MarkDeclaration extends Written {}

export interface ControllerDeclaration extends Written {
  readonly prefix: unknown
}

export interface RouteDeclaration extends Written {
  readonly name: string | undefined
  readonly methods: readonly unknown[]
  readonly path: unknown
  readonly settings: RouteSettings
}

export interface GuardDeclaration extends Written {
  readonly kind: 'attribute' | 'scope'
  readonly attributes: readonly unknown[]
  readonly options: { readonly subject?: unknown }
}

export type ParameterKind = 'user' | 'body' | 'query' | 'param' | 'headers' | 'message' | 'context'

export interface ParameterDeclaration extends Written {
  readonly kind: ParameterKind
  readonly name: string | undefined
  /** `@Body({stream: true})` */
  readonly stream: boolean
  /** `@Message({binary: true})` */
  readonly binary: boolean
}

export interface MethodDeclarations {
  readonly routes: RouteDeclaration[]
  readonly guards: GuardDeclaration[]
  anonymous: MarkDeclaration | null
  bypassFirewall: MarkDeclaration | null
  readonly parameters: Map<number, ParameterDeclaration>
}

/** A decorator where none can work: on a static method, or on a constructor parameter. */
export interface MisplacedDeclaration extends Written {
  readonly place: string
}

export interface ClassDeclarations {
  controller: ControllerDeclaration | null
  readonly guards: GuardDeclaration[]
  anonymous: MarkDeclaration | null
  bypassFirewall: MarkDeclaration | null
  readonly methods: Map<string | symbol, MethodDeclarations>
  readonly misplaced: MisplacedDeclaration[]
}

const key = Symbol.for('svc.declarations')

// biome-ignore lint/suspicious/noExplicitAny: a controller's constructor takes what it likes
export type ControllerClass = new (...args: any[]) => object

interface Declared {
  [key]?: ClassDeclarations
}

/** The class's own declarations, without those of its bases; `null` when no decorator touched it. */
export function ownDeclarations(target: object): ClassDeclarations | null {
  return Object.hasOwn(target, key) ? ((target as Declared)[key] ?? null) : null
}

/** The class's own declarations, made when it has none yet. */
export function declarationsOf(target: object): ClassDeclarations {
  const found = ownDeclarations(target)
  if (found !== null) return found
  const made: ClassDeclarations = {
    controller: null,
    guards: [],
    anonymous: null,
    bypassFirewall: null,
    methods: new Map(),
    misplaced: []
  }
  Object.defineProperty(target, key, { value: made })
  return made
}

export function methodDeclarationsOf(prototype: object, name: string | symbol): MethodDeclarations {
  const { methods } = declarationsOf(prototype.constructor)
  let found = methods.get(name)
  if (found === undefined) {
    found = { routes: [], guards: [], anonymous: null, bypassFirewall: null, parameters: new Map() }
    methods.set(name, found)
  }
  return found
}
