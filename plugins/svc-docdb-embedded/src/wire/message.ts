/**
 * Messages of the MongoDB wire protocol: OP_MSG with a body and document sequences, and OP_QUERY, which drivers
 * still use for their first `hello` and which OP_REPLY answers. Both become one command body.
 */
import { type Document as PlainDocument, serialize } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { decodeDocument } from '../values/decode.ts'
import type { Document, Value } from '../values/value.ts'

const OP_REPLY = 1
export const OP_QUERY = 2004
export const OP_MSG = 2013

export const HEADER_BYTES = 16

const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2
/** Flags below this bit must be understood. */
const REQUIRED_FLAGS = 0xffff
/** Says in an OP_REPLY that the server can wait for more, as drivers expect. */
const AWAIT_CAPABLE = 8

export interface Message {
  readonly requestId: number
  readonly opCode: typeof OP_QUERY | typeof OP_MSG
  readonly body: Document
  /** False for writes that want no answer. */
  readonly wantsReply: boolean
}

/** Cuts a stream of bytes into messages, each announced by its length, and refuses lengths no message has. */
export class MessageFrames {
  readonly #maximum: number
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(maximum: number) {
    this.#maximum = maximum
  }

  /** The messages that are whole now. @throws RangeError for a length below the header or above the maximum */
  add(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const messages: Buffer[] = []
    for (let size = this.#nextSize(); size !== null && size <= this.#bytes; size = this.#nextSize()) {
      const joined = this.#join()
      messages.push(joined.subarray(0, size))
      this.#chunks = [joined.subarray(size)]
      this.#bytes = joined.length - size
    }
    return messages
  }

  #nextSize(): number | null {
    if (this.#bytes < 4) return null
    const first = this.#chunks[0]
    const size = (first !== undefined && first.length >= 4 ? first : this.#join()).readInt32LE()
    if (size >= HEADER_BYTES && size <= this.#maximum) return size
    throw new RangeError(`a message of ${size} bytes`)
  }

  #join(): Buffer {
    const [only] = this.#chunks
    const joined = only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}

/** @throws CommandError 22 for BSON that is none, 9 for a message that cannot be taken apart */
export function readMessage(bytes: Buffer): Message {
  const requestId = bytes.readInt32LE(4)
  const opCode = bytes.readInt32LE(12)
  if (opCode === OP_MSG) return { requestId, opCode, ...readMsg(bytes) }
  if (opCode === OP_QUERY) return { requestId, opCode, body: readQuery(bytes), wantsReply: true }
  throw new CommandError(9, `the message has the operation code ${opCode}, which is not supported`)
}

function readMsg(bytes: Buffer): Pick<Message, 'body' | 'wantsReply'> {
  const flags = bytes.readUInt32LE(HEADER_BYTES)
  if ((flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0) {
    throw new CommandError(9, 'the message has unknown flags')
  }
  const end = (flags & CHECKSUM_PRESENT) === 0 ? bytes.length : bytes.length - 4
  let body: Document | null = null
  const sequences: [string, Value[]][] = []
  for (let at = HEADER_BYTES + 4; at < end; ) {
    const kind = bytes[at]
    const size = bytes.readInt32LE(at + 1)
    if (size < 5 || at + 1 + size > end) throw new CommandError(9, 'a section of the message ends outside of it')
    if (kind === 0 && body === null) body = decodeDocument(bytes, at + 1)
    else if (kind === 1) sequences.push(readSequence(bytes, at + 5, at + 1 + size))
    else throw new CommandError(9, `the message has a section of the kind ${kind} where none can be`)
    at += 1 + size
  }
  if (body === null) throw new CommandError(9, 'the message has no body')
  return { body: new Map([...body, ...sequences]), wantsReply: (flags & MORE_TO_COME) === 0 }
}

function readSequence(bytes: Buffer, from: number, end: number): [string, Value[]] {
  const nameEnd = bytes.indexOf(0, from)
  const documents: Value[] = []
  for (let at = nameEnd + 1; at < end; ) {
    const size = bytes.readInt32LE(at)
    if (size < 5 || at + size > end) throw new CommandError(9, 'a document of the message ends outside of it')
    documents.push(decodeDocument(bytes, at))
    at += size
  }
  return [bytes.toString('utf8', from, nameEnd), documents]
}

/** The command in the query of an old first message, with its database. */
function readQuery(bytes: Buffer): Document {
  const nameEnd = bytes.indexOf(0, HEADER_BYTES + 4)
  const namespace = bytes.toString('utf8', HEADER_BYTES + 4, nameEnd)
  if (!namespace.endsWith('.$cmd')) throw new CommandError(9, 'OP_QUERY is only supported for commands')
  const body = decodeDocument(bytes, nameEnd + 1 + 8)
  return body.set('$db', namespace.slice(0, -'.$cmd'.length))
}

/** An answer as bytes: OP_MSG for OP_MSG, and OP_REPLY for the old first message. */
export function writeReply({ requestId, opCode }: Pick<Message, 'requestId' | 'opCode'>, reply: PlainDocument): Buffer {
  const isMsg = opCode === OP_MSG
  const body = serialize(reply, { ignoreUndefined: true })
  // Flags and a kind; or flags, no cursor, from the start, one document.
  const head = Buffer.alloc(HEADER_BYTES + (isMsg ? 5 : 20))
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(requestId, 8)
  head.writeInt32LE(isMsg ? OP_MSG : OP_REPLY, 12)
  if (!isMsg) {
    head.writeInt32LE(AWAIT_CAPABLE, HEADER_BYTES)
    head.writeInt32LE(1, HEADER_BYTES + 16)
  }
  return Buffer.concat([head, body])
}
