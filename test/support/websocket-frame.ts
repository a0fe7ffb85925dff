/** Frames of RFC 6455, 5.2, written with every field free to be wrong, and read from what a server sent. */

export const TEXT = 1
export const BINARY = 2
export const CLOSE = 8
export const PING = 9
export const PONG = 10

export interface FrameFields {
  readonly opcode: number
  readonly payload?: Buffer | string
  readonly fin?: boolean
  /** The three reserved bits, 0 to 7. */
  readonly reserved?: number
  readonly masked?: boolean
  /** The length the header claims, where it is not that of the payload. */
  readonly claimed?: bigint
}

export function encodeFrame(fields: FrameFields): Buffer {
  const { opcode, fin = true, reserved = 0, masked = true } = fields
  const payload = Buffer.from(fields.payload ?? '')
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode
  const { short, extended } = encodeLength(fields.claimed ?? BigInt(payload.length))
  const head = [Buffer.from([first, (masked ? 0x80 : 0) | short]), extended]
  if (!masked) return Buffer.concat([...head, payload])
  const mask = Buffer.from([0x12, 0x34, 0x56, 0x78])
  const hidden = payload.map((byte, index) => byte ^ (mask[index % 4] as number))
  return Buffer.concat([...head, mask, hidden])
}

function encodeLength(length: bigint): { short: number; extended: Buffer } {
  if (length < 126n) return { short: Number(length), extended: Buffer.alloc(0) }
  if (length <= 0xffffn) {
    const extended = Buffer.alloc(2)
    extended.writeUInt16BE(Number(length))
    return { short: 126, extended }
  }
  const extended = Buffer.alloc(8)
  extended.writeBigUInt64BE(length)
  return { short: 127, extended }
}

/** The payload of a close frame. */
export function closePayload(code: number, reason: Buffer | string = ''): Buffer {
  return Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)])
}

export interface ReadFrame {
  readonly opcode: number
  readonly payload: Buffer
  /** Bytes the frame took. */
  readonly size: number
}

/** The first frame of what a server sent, which is never masked; `null` while it is not whole. */
export function readFrame(bytes: Buffer): ReadFrame | null {
  if (bytes.length < 2) return null
  const short = (bytes[1] as number) & 0x7f
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < start) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < start + length) return null
  return {
    opcode: (bytes[0] as number) & 0x0f,
    payload: bytes.subarray(start, start + length),
    size: start + length
  }
}
