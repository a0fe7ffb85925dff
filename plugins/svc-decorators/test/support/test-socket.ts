/** A WebSocket client for tests: messages are awaited one by one, nothing is lost between two awaits. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type ClientOptions, WebSocket } from 'ws'

export class TestSocket {
  readonly ws: WebSocket
  /** Resolves when the connection is closed. */
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #arrived: Array<{ data: Buffer; isBinary: boolean }> = []
  #wake: (() => void) | null = null

  constructor(url: string, options: ClientOptions = {}) {
    this.ws = new WebSocket(url, options)
    this.ws.on('message', (data, isBinary) => {
      this.#arrived.push({ data: data as Buffer, isBinary })
      this.#wake?.()
    })
    this.closed = new Promise((resolve) => {
      this.ws.on('close', (code, reason) => {
        this.#wake?.()
        resolve({ code, reason: reason.toString() })
      })
    })
    this.ws.on('error', () => undefined)
  }

  static async open(fastify: FastifyInstance, path: string, options?: ClientOptions): Promise<TestSocket> {
    const { port } = fastify.server.address() as AddressInfo
    const socket = new TestSocket(`ws://127.0.0.1:${port}${path}`, options)
    await once(socket.ws, 'open')
    return socket
  }

  send(data: string | Buffer): void {
    this.ws.send(data)
  }

  /** The next frame as it came; rejects when the connection ends first. */
  async nextFrame(): Promise<{ data: Buffer; isBinary: boolean }> {
    while (this.#arrived.length === 0) {
      if (this.ws.readyState === WebSocket.CLOSED) throw new Error('the connection is closed')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#arrived.shift() as { data: Buffer; isBinary: boolean }
  }

  /** The next text frame as JSON. */
  async next(): Promise<unknown> {
    return JSON.parse((await this.nextFrame()).data.toString())
  }

  async ask(data: string | Buffer): Promise<unknown> {
    this.send(data)
    return this.next()
  }
}
