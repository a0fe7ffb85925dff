/** The part of a WebSocket that the client uses: that of browsers, of Node, and of `ws` have it. */

/** A WebSocket. */
export interface SocketLike {
  readonly readyState: number
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(data: string): void
  close(code?: number, reason?: string): void
}

/** Opens a WebSocket; it may be open already. @param url absolute, ws: or wss: */
export type SocketFactory = (url: string) => SocketLike | Promise<SocketLike>

export const OPEN = 1

/** Resolves when it is open. @throws the error that `closed` makes where it closes before */
export function opened(socket: SocketLike, closed: () => Error): Promise<SocketLike> {
  if (socket.readyState === OPEN) return Promise.resolve(socket)
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(socket)
    socket.onerror = socket.onclose = () => reject(closed())
  })
}
