/** One kept-alive connection: exchanges one after the other on the same socket, bytes as they are given. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { parseAnswer, type RawAnswer, wholeLength } from './raw-answer.ts'

export class RawConnection {
  readonly socket: Socket
  #received = ''
  #wake: (() => void) | null = null

  private constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true }).setEncoding('latin1')
    this.socket.on('data', (chunk: string) => {
      this.#received += chunk
      this.#wake?.()
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => this.#wake?.())
  }

  static async open(port: number): Promise<RawConnection> {
    const connection = new RawConnection(port)
    await once(connection.socket, 'connect')
    return connection
  }

  /** Sends the segments, each in a turn of its own, and resolves with the next answer. Requests must not be HEAD. */
  async exchange(...segments: readonly string[]): Promise<RawAnswer> {
    for (const segment of segments) {
      this.socket.write(segment, 'latin1')
      await new Promise((resume) => setImmediate(resume))
    }
    return this.next()
  }

  /** The next answer; rejects when the connection ends before it is whole. */
  async next(): Promise<RawAnswer> {
    for (;;) {
      const length = wholeLength(this.#received)
      if (length !== null) {
        const text = this.#received.slice(0, length)
        this.#received = this.#received.slice(length)
        return parseAnswer(text)
      }
      if (this.socket.closed) throw new Error(`the connection ended after: ${this.#received}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  close(): void {
    this.socket.destroy()
  }
}
