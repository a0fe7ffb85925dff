/**
 * Messages of the MongoDB wire protocol: OP_MSG with a body and document sequences, and OP_QUERY, which drivers
 * still use for their first `hello`. Both become one command body.
 */
import { CommandError } from '../failure/command-error.ts'
import { decodeDocument } from '../values/decode.ts'
import type { Document, Value } from '../values/value.ts'

export const OP_REPLY = 1
export const OP_QUERY = 2004
export const OP_MSG = 2013

export const HEADER_BYTES = 16

const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2
/** Flags below this bit must be understood. */
const REQUIRED_FLAGS = 0xffff

export interface Message {
  readonly requestId: number
  readonly opCode: typeof OP_QUERY | typeof OP_MSG
  readonly body: Document
  /** False for writes that want no answer. */
  readonly wantsReply: boolean
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
  if ((flags & REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0)
    throw new CommandError(9, 'the message has unknown flags')
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
