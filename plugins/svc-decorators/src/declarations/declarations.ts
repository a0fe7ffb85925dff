/** What decorators leave on a class: facts as they were written, checked only when the class is compiled. */
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
  | 'bodyLimit'
  | 'constraints'
  | 'logLevel'
  | 'logSerializers'
  | 'attachValidation'
  | 'schemaErrorFormatter'
  | 'handlerTimeout'
>

/** Fastify route options that a controller route may set. The handler is the compiler's. */
export interface RouteSettings extends RouteHooks, RouteChoices {
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

/** A declaration remembers how it was written and where. */
interface Written {
  /** As shown in messages: `@IsGranted('ROLE_USER')`. */
  readonly decorator: string
  /** `file:line`, when the stack told it. */
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
