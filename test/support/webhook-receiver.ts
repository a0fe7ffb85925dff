/** A receiver on a real socket: keeps what it got, answers as it is told, knows how many connections it had. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Test } from 'tap'
import { portOf } from './ports.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export class WebhookReceiver {
  readonly received: Received[] = []
  /** The status for a path; `null` leaves the sender waiting until `answerAll`. */
  status: (path: string) => number | null = () => 200
  mostConnections = 0
  readonly #server: Server
  readonly #open = new Set<Socket>()
  readonly #waiting: ServerResponse[] = []
  #arrived: (() => void) | null = null

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.once('end', () => {
        const { url: path = '', headers } = request
        this.received.push({ path, headers, body: Buffer.concat(chunks) })
        const status = this.status(path)
        if (status === null) this.#waiting.push(response)
        else response.writeHead(status).end('noted')
        this.#arrived?.()
      })
    })
    this.#server.on('connection', (socket) => {
      this.#open.add(socket)
      this.mostConnections = Math.max(this.mostConnections, this.#open.size)
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  static async start(t: Pick<Test, 'teardown'>): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    t.teardown(() => receiver.stop())
    return receiver
  }

  url(path: string): string {
    return `http://127.0.0.1:${portOf(this.#server)}${path}`
  }

  /** Messages that wait for their answer. */
  get waiting(): number {
    return this.#waiting.length
  }

  answerAll(status: number): void {
    for (const response of this.#waiting.splice(0)) response.writeHead(status).end()
  }

  /** Resolves once this condition holds; it is looked at with every message. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve
      })
    }
  }

  stop(): void {
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
  }
}
