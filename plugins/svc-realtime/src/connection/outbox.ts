/**
 * What goes out to one socket. Messages are dropped for a peer that leaves too much unread, answers make it wait for
 * its next question, and one that leaves far too much is cut off.
 */
import type { WebSocket } from 'ws'
import { CloseCode } from '../json-rpc.ts'

/** Bytes a peer may leave unread: above it, messages of channels are dropped and answers wait. */
const DROP_BYTES = 1_048_576

/** Unread bytes above which the socket is closed with 1013. No single answer is larger. */
export const CLOSE_BYTES = 8_388_608

const OPEN = 1
const TEXT = { binary: false }

export class Outbox {
  readonly #socket: WebSocket
  #dropped = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** Messages this peer was too slow for. */
  get dropped(): number {
    return this.#dropped
  }

  /** A message of a channel: sent at once or not at all. */
  message(frame: Buffer): void {
    const unread = this.#unread()
    if (unread === null) return
    if (unread > DROP_BYTES) this.#dropped += 1
    else this.#socket.send(frame, TEXT)
  }

  /** An answer or a notice: never dropped. @returns a promise where the caller should wait until the peer has read */
  answer(frame: string): Promise<void> | undefined {
    const unread = this.#unread()
    if (unread === null) return undefined
    if (unread + frame.length <= DROP_BYTES) {
      this.#socket.send(frame)
      return undefined
    }
    return new Promise((resolve) => {
      this.#socket.send(frame, () => {
        resolve()
      })
    })
  }

  /** Bytes not yet taken by the peer; `null` once the socket takes nothing more. */
  #unread(): number | null {
    const socket = this.#socket
    if (socket.readyState !== OPEN) return null
    if (socket.bufferedAmount <= CLOSE_BYTES) return socket.bufferedAmount
    socket.close(CloseCode.TRY_AGAIN_LATER, 'slow consumer')
    return null
  }
}
