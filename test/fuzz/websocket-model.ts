/**
 * What a server that echoes texts must do with a sequence of frames, as RFC 6455
 * says it (5.2, 5.4, 5.5, 7.4.1): a small model to hold the real one against.
 */
import { isUtf8 } from 'node:buffer'
import { BINARY, CLOSE, type FrameFields, PING, PONG } from '../support/websocket-frame.ts'

const CONTINUATION = 0
const PROTOCOL_ERROR = 1002
const INVALID_DATA = 1007
const TOO_BIG = 1009
const NO_CODE = 1005

/** What comes back: the text of an answer, `binary` for a refused binary message, `pong` with its payload, `close` with its code. */
export type Reaction = readonly ['text' | 'pong', string] | readonly ['binary'] | readonly ['close', number]

export class WebSocketModel {
  readonly #maxPayload: number
  /** The opcode and the parts of a message that is not complete. */
  #message: { readonly opcode: number; readonly parts: Buffer[] } | null = null

  constructor(maxPayload: number) {
    this.#maxPayload = maxPayload
  }

  /** Everything that comes back; nothing after a close. */
  react(frames: readonly FrameFields[]): Reaction[] {
    const reactions: Reaction[] = []
    for (const frame of frames) {
      const reaction = this.#reactTo(frame)
      if (reaction !== null) reactions.push(reaction)
      if (reaction?.[0] === 'close') break
    }
    return reactions
  }

  #reactTo(frame: FrameFields): Reaction | null {
    const { opcode, fin = true, reserved = 0, masked = true } = frame
    const payload = Buffer.from(frame.payload ?? '')
    const length = frame.claimed ?? BigInt(payload.length)
    const control = opcode >= CLOSE
    const known = control ? opcode <= PONG : opcode <= BINARY
    if (reserved !== 0 || !known || (control && (!fin || length > 125n))) return ['close', PROTOCOL_ERROR]
    if (!control && (opcode === CONTINUATION) !== (this.#message !== null)) return ['close', PROTOCOL_ERROR]
    if (!masked) return ['close', PROTOCOL_ERROR]
    if (control) return reactToControl(opcode, payload)
    const collected = this.#message?.parts.reduce((sum, part) => sum + part.length, 0) ?? 0
    if (BigInt(collected) + length > BigInt(this.#maxPayload)) return ['close', TOO_BIG]
    return this.#collect(opcode, payload, fin)
  }

  #collect(opcode: number, payload: Buffer, fin: boolean): Reaction | null {
    const message = this.#message ?? { opcode, parts: [] }
    message.parts.push(payload)
    this.#message = fin ? null : message
    if (!fin) return null
    const whole = Buffer.concat(message.parts)
    if (message.opcode === BINARY) return ['binary']
    return isUtf8(whole) ? ['text', whole.toString()] : ['close', INVALID_DATA]
  }
}

function reactToControl(opcode: number, payload: Buffer): Reaction | null {
  if (opcode === PONG) return null
  if (opcode === PING) return ['pong', payload.toString('latin1')]
  if (payload.length === 0) return ['close', NO_CODE]
  if (payload.length === 1 || !isCloseCode(payload.readUInt16BE(0))) return ['close', PROTOCOL_ERROR]
  return ['close', isUtf8(payload.subarray(2)) ? payload.readUInt16BE(0) : INVALID_DATA]
}

/** Codes that may travel: those of the protocol, without the ones that only describe, and those of applications. */
function isCloseCode(code: number): boolean {
  if (code >= 3000) return code <= 4999
  return code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)
}
