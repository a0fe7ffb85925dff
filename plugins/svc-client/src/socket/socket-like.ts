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

/** Resolves when it is open. @throws the error that `refusal` finds where it closes before */
export async function opened(socket: SocketLike, refusal: () => Promise<Error>): Promise<SocketLike> {
  const isOpen =
    socket.readyState === OPEN ||
    (await new Promise<boolean>((resolve) => {
      socket.onopen = () => resolve(true)
      socket.onerror = socket.onclose = () => resolve(false)
    }))
  if (!isOpen) throw await refusal()
  return socket
}
