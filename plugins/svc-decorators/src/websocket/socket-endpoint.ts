/** A WEBSOCKET route, compiled: everything that its connections share. */
import type { FastifyInstance } from 'fastify'
import type { Requirement } from 'svc-kernel'
import type { Endpoint } from '../compile/endpoint.ts'
import { messageReader } from '../executor/argument-readers.ts'
import { compileExecutor, type Executor } from '../executor/compile-executor.ts'
import { MessageCodec } from './message-codec.ts'
import type { MessageConnection } from './message-connection.ts'

export class SocketEndpoint {
  readonly path: string
  readonly requirement: Requirement | null
  /** True when the method takes binary frames. */
  readonly binary: boolean
  /** True when the message is read as JSON. */
  readonly readsBody: boolean
  readonly execute: Executor<MessageConnection>
  readonly #schema: { readonly body?: unknown; readonly response?: unknown }
  readonly #codecs = new WeakMap<FastifyInstance, MessageCodec>()

  constructor({ path, access, settings, invocation }: Endpoint) {
    const { parameters } = invocation
    this.path = path
    this.requirement = access.requirement
    this.binary = parameters.some(({ binary }) => binary)
    this.#schema = settings.schema ?? {}
    this.readsBody = this.#schema.body !== undefined || parameters.some(({ kind }) => kind === 'body')
    this.execute = compileExecutor<MessageConnection>(
      invocation,
      parameters.map(messageReader),
      (request, connection) => ({
        transport: 'WEBSOCKET',
        request,
        socket: connection.socket,
        message: connection.message
      })
    )
  }

  /** @throws what the schema compilers of the server throw; call it at boot to fail there. */
  codec(server: FastifyInstance): MessageCodec {
    let codec = this.#codecs.get(server)
    if (codec === undefined) {
      codec = new MessageCodec(server, { path: this.path, body: this.#schema.body, response: this.#schema.response })
      this.#codecs.set(server, codec)
    }
    return codec
  }
}
