/** A WebSocket whose client side is bytes: what a library would never send can be sent. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'
import { parseAnswer, type RawAnswer, type RawHeaders, rawUpgrade, wholeLength } from './raw-http.ts'
import { CLOSE, encodeFrame, type ReadFrame, readFrame, TEXT } from './websocket-frame.ts'

export class RawWebSocket {
  readonly socket: Socket
  #bytes = Buffer.alloc(0)
  #ended = false
  #wake: (() => void) | null = null

  private constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true })
    this.socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#wake?.()
    })
    const end = (): void => {
      this.#ended = true
      this.#wake?.()
    }
    this.socket.on('end', end).on('close', end)
    this.socket.on('error', () => undefined)
  }

  /**
   * Sends the opening and whatever is to follow in the same segment. The test closes what it opened.
   *
   * @returns the socket and the answer to the opening, whose status is 101 where it was accepted
   */
  static async open(
    t: Test,
    port: number,
    target: string,
    headers: RawHeaders = {},
    pipelined: Buffer = Buffer.alloc(0)
  ): Promise<{ socket: RawWebSocket; answer: RawAnswer }> {
    const socket = new RawWebSocket(port)
    t.teardown(() => socket.close())
    await once(socket.socket, 'connect')
    socket.write(Buffer.concat([Buffer.from(rawUpgrade(target, headers), 'latin1'), pipelined]))
    return { socket, answer: await socket.#opening() }
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  sendText(text: string): void {
    this.write(encodeFrame({ opcode: TEXT, payload: text }))
  }

  /** The next frame, or `null` when the connection ended. */
  async nextFrame(): Promise<ReadFrame | null> {
    for (;;) {
      const frame = readFrame(this.#bytes)
      if (frame !== null) {
        this.#bytes = this.#bytes.subarray(frame.size)
        return frame
      }
      if (this.#ended) return null
      await this.#change()
    }
  }

  /** The next text frame as JSON; throws where something else comes. */
  async nextJson(): Promise<unknown> {
    const frame = await this.nextFrame()
    if (frame?.opcode !== TEXT) throw new Error(`no text frame but ${frame === null ? 'the end' : frame.opcode}`)
    return JSON.parse(frame.payload.toString())
  }

  /** Reads on until the connection ends: the code of the close frame, or `null` where none came. */
  async closeCode(): Promise<number | null> {
    for (;;) {
      const frame = await this.nextFrame()
      if (frame === null) return null
      if (frame.opcode === CLOSE) return frame.payload.length < 2 ? 1005 : frame.payload.readUInt16BE(0)
    }
  }

  close(): void {
    this.socket.destroy()
  }

  async #opening(): Promise<RawAnswer> {
    for (;;) {
      const text = this.#bytes.toString('latin1')
      const taken = wholeLength(text) ?? (this.#ended && text !== '' ? text.length : null)
      if (taken !== null) {
        this.#bytes = this.#bytes.subarray(taken)
        return parseAnswer(text.slice(0, taken))
      }
      if (this.#ended) throw new Error('the server closed without an answer')
      await this.#change()
    }
  }

  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }
}
