/** A JSON-RPC client on the `ws` library: answers by id, notifications in order, the end as a promise. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type ClientOptions, WebSocket } from 'ws'

export interface RpcReply {
  readonly id?: unknown
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
  readonly method?: string
  readonly params?: Record<string, unknown>
}

export class RpcClient {
  readonly ws: WebSocket
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #arrived: RpcReply[] = []
  #waiting: Array<() => void> = []
  #id = 0

  private constructor(url: string, options: ClientOptions) {
    this.ws = new WebSocket(url, options)
    this.ws.on('message', (data) => {
      this.#arrived.push(JSON.parse(String(data)) as RpcReply)
      this.#wake()
    })
    this.closed = new Promise((resolve) => {
      this.ws.on('close', (code, reason) => {
        this.#wake()
        resolve({ code, reason: reason.toString() })
      })
    })
    this.ws.on('error', () => undefined)
  }

  /** Opens the socket; the welcome stays to be taken with `notification`. */
  static async open(fastify: FastifyInstance, headers: Record<string, string> = {}): Promise<RpcClient> {
    const { port } = fastify.server.address() as AddressInfo
    const client = new RpcClient(`ws://127.0.0.1:${port}/svc/realtime`, { headers })
    await once(client.ws, 'open')
    return client
  }

  send(frame: unknown): void {
    this.ws.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame))
  }

  async call(method: string, params: object = {}): Promise<RpcReply> {
    this.#id += 1
    const id = this.#id
    this.send({ jsonrpc: '2.0', id, method, params })
    return this.#take((frame) => frame.id === id)
  }

  /** The next answer, whatever its id. */
  answer(): Promise<RpcReply> {
    return this.#take((frame) => frame.method === undefined)
  }

  async notification(method: string): Promise<Record<string, unknown>> {
    const { params } = await this.#take((frame) => frame.method === method)
    return params ?? {}
  }

  /** What has arrived and was not taken. */
  get untaken(): readonly RpcReply[] {
    return this.#arrived
  }

  /** Resolves once everything the server sent so far has arrived. */
  async settled(): Promise<void> {
    this.ws.ping()
    await once(this.ws, 'pong')
  }

  async #take(wanted: (frame: RpcReply) => boolean): Promise<RpcReply> {
    for (;;) {
      const index = this.#arrived.findIndex(wanted)
      if (index !== -1) return this.#arrived.splice(index, 1)[0] as RpcReply
      if (this.ws.readyState === WebSocket.CLOSED) throw new Error('the connection is closed')
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}
