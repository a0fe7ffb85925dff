/** A WEBSOCKET route, compiled: everything that its connections share. */
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import type { Requirement, StandardSchema } from 'svc-kernel'
import { type LimitedOperation, standardValidator } from 'svc-kernel/plugin'
import type { WebSocket } from 'ws'
import type { Endpoint } from '../compile/endpoint.ts'
import { type MessageChannel, messageReader } from '../executor/argument-readers.ts'
import { compileExecutor, type Executor } from '../executor/compile-executor.ts'
import { MessageCodec, type MessageSchemas } from './message-codec.ts'

/** What a method may see of the connection that brought its message. */
interface SocketChannel extends MessageChannel {
  readonly socket: WebSocket
  /** Text, or bytes where the method or the frame is binary. */
  readonly message: string | Buffer
}

export class SocketEndpoint {
  readonly path: string
  readonly requirement: Requirement | null
  /** What each message spends; `null` without limits. */
  readonly operation: LimitedOperation | null
  /** True when the method takes binary frames. */
  readonly binary: boolean
  /** True when the message is read as JSON. */
  readonly readsBody: boolean
  readonly execute: Executor<SocketChannel>
  readonly #schemas: MessageSchemas
  readonly #codecs = new WeakMap<FastifyInstance, MessageCodec>()

  constructor({ path, access, settings, standard, invocation }: Endpoint, operation: LimitedOperation | null) {
    const { parameters } = invocation
    this.path = path
    this.requirement = access.requirement
    this.operation = operation
    this.binary = parameters.some(({ binary }) => binary)
    const { schema = {}, validatorCompiler, serializerCompiler } = settings
    this.#schemas = {
      path,
      body: standard.body ?? schema.body,
      response: schema.response,
      validatorCompiler: standard.body === undefined ? validatorCompiler : compileStandard(standard.body),
      serializerCompiler
    }
    this.readsBody = this.#schemas.body !== undefined || parameters.some(({ kind }) => kind === 'body')
    this.execute = compileExecutor<SocketChannel>(invocation, parameters.map(messageReader), (request, connection) => ({
      transport: 'WEBSOCKET',
      request,
      socket: connection.socket,
      message: connection.message
    }))
  }

  /** @throws what the schema compilers of the server throw; call it at boot to fail there. */
  codec(server: FastifyInstance): MessageCodec {
    let codec = this.#codecs.get(server)
    if (codec === undefined) {
      codec = new MessageCodec(server, this.#schemas)
      this.#codecs.set(server, codec)
    }
    return codec
  }
}

/** The result that a promise brings is taken as it is; only Fastify drops it. */
function compileStandard(schema: StandardSchema): FastifySchemaCompiler<unknown> {
  return () => standardValidator(schema) as ReturnType<FastifySchemaCompiler<unknown>>
}
