/** A WebSocket client on the `ws` library: frames are awaited one by one, none is lost between two awaits. */
import { once } from 'node:events'
import { WebSocket } from 'ws'

export class SocketClient {
  readonly ws: WebSocket
  /** Resolves when the connection is closed. */
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #arrived: string[] = []
  #wake: (() => void) | null = null

  private constructor(url: string, headers: Record<string, string>) {
    this.ws = new WebSocket(url, { headers })
    this.ws.on('message', (data) => {
      this.#arrived.push(String(data))
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

  /** Resolves with the open client, or with the status of a refused opening. */
  static async open(port: number, path: string, headers: Record<string, string> = {}): Promise<SocketClient | number> {
    const client = new SocketClient(`ws://127.0.0.1:${port}${path}`, headers)
    const refused = new Promise<number>((resolve) => {
      client.ws.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0)
        client.ws.terminate()
      })
    })
    return Promise.race([refused, once(client.ws, 'open').then(() => client)])
  }

  /** As `open`, where a refusal is a failure of the test. */
  static async opened(port: number, path: string, headers: Record<string, string> = {}): Promise<SocketClient> {
    const client = await SocketClient.open(port, path, headers)
    if (typeof client === 'number') throw new Error(`the opening of ${path} was answered with ${client}`)
    return client
  }

  /** Sends a text and resolves with the next answer, parsed. */
  async ask(text: string): Promise<unknown> {
    this.ws.send(text)
    return this.next()
  }

  /** The next text frame as JSON; rejects when the connection ends first. */
  async next(): Promise<unknown> {
    while (this.#arrived.length === 0) {
      if (this.ws.readyState === WebSocket.CLOSED) throw new Error('the connection is closed')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return JSON.parse(this.#arrived.shift() as string)
  }

  close(): void {
    this.ws.terminate()
  }
}
