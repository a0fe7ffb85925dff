/** Answers as bytes: OP_MSG for OP_MSG, and OP_REPLY for the old first message. */
import { type Document, serialize } from 'bson'
import { HEADER_BYTES, type Message, OP_MSG, OP_REPLY } from './message.ts'

/** Says that the answer is one to a message that can wait for more, as drivers expect of servers. */
const AWAIT_CAPABLE = 8

export function writeReply({ requestId, opCode }: Pick<Message, 'requestId' | 'opCode'>, reply: Document): Buffer {
  const body = serialize(reply, { ignoreUndefined: true })
  const prefix = opCode === OP_MSG ? Buffer.alloc(5) : queryPrefix()
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeInt32LE(HEADER_BYTES + prefix.length + body.length, 0)
  header.writeInt32LE(0, 4)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(opCode === OP_MSG ? OP_MSG : OP_REPLY, 12)
  return Buffer.concat([header, prefix, body])
}

/** Flags, no cursor, from the start, one document. */
function queryPrefix(): Buffer {
  const prefix = Buffer.alloc(20)
  prefix.writeInt32LE(AWAIT_CAPABLE, 0)
  prefix.writeInt32LE(1, 16)
  return prefix
}
