/** A receiver over a bare socket, that answers whatever a test makes it answer. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** Called for each request, with its bytes as text. */
export type Script = (socket: Socket, request: string, connection: number) => void

export class RawReceiver {
  readonly #server: Server
  /** Connections accepted so far. */
  connections = 0
  /** Requests received so far, as text. */
  readonly requests: string[] = []
  readonly #open = new Set<Socket>()
  #changed: (() => void)[] = []

  private constructor(script: Script) {
    this.#server = createServer((socket) => this.#serve(socket, script))
  }

  static async start(script: Script, host = '127.0.0.1', port = 0): Promise<RawReceiver> {
    const receiver = new RawReceiver(script)
    receiver.#server.listen(port, host)
    await once(receiver.#server, 'listening')
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get open(): number {
    return this.#open.size
  }

  /** Resolves when this many requests have come. */
  async asked(count: number): Promise<void> {
    await this.#until(() => this.requests.length >= count)
  }

  /** Resolves when no connection is left. */
  async deserted(): Promise<void> {
    await this.#until(() => this.#open.size === 0)
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #serve(socket: Socket, script: Script): void {
    this.connections += 1
    const connection = this.connections
    let received = ''
    this.#open.add(socket)
    socket.on('data', (chunk) => {
      received += chunk.toString()
      const [head, ...rest] = received.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head ?? '')?.[1] ?? Number.NaN)
      if (Buffer.byteLength(rest.join('\r\n\r\n')) < length || Number.isNaN(length)) return
      this.requests.push(received)
      script(socket, received, connection)
      received = ''
      this.#tell()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#open.delete(socket)
      this.#tell()
    })
  }

  #until(reached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!reached()) return
        this.#changed = this.#changed.filter((other) => other !== look)
        resolve()
      }
      this.#changed.push(look)
      look()
    })
  }

  #tell(): void {
    for (const look of [...this.#changed]) look()
  }
}

/** A whole answer of HTTP/1.1. */
export function answer(status: number, body = '', ...headers: string[]): string {
  const lines = [`HTTP/1.1 ${status} -`, `content-length: ${Buffer.byteLength(body)}`, ...headers, '', '']
  return lines.join('\r\n') + body
}
