/** The realtime socket of an application: a request and its answer, and the notices between them. */
import { SocketClient } from './socket-client.ts'

export interface RpcFrame {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: Readonly<Record<string, unknown>>
  }
}

export class RpcSocket {
  readonly client: SocketClient
  /** Notices that came before the answer that was asked for. */
  readonly notices: RpcFrame[] = []
  #id = 0

  constructor(client: SocketClient) {
    this.client = client
  }

  /** @throws when the opening is refused */
  static async open(port: number, headers: Record<string, string> = {}, path = '/svc/realtime'): Promise<RpcSocket> {
    return new RpcSocket(await SocketClient.opened(port, path, headers))
  }

  async call(method: string, params: object = {}): Promise<RpcFrame> {
    this.#id += 1
    const id = this.#id
    this.client.ws.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    for (;;) {
      const frame = (await this.client.next()) as RpcFrame
      if (frame.method === undefined) return frame
      this.notices.push(frame)
    }
  }

  /** The next frame, whatever it is. */
  async next(): Promise<RpcFrame> {
    return this.notices.shift() ?? ((await this.client.next()) as RpcFrame)
  }
}
