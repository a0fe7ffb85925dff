/** One connection: its commands run one after the other, each answered in turn. Bytes that are no message close it. */
import type { Socket } from 'node:net'
import { MAX_MESSAGE_BYTES } from '../commands/handshake-commands.ts'
import { CommandError } from '../failure/command-error.ts'
import type { Document } from '../values/value.ts'
import { HEADER_BYTES, type Message, MessageFrames, OP_MSG, OP_QUERY, readMessage, writeReply } from './message.ts'

/** Runs a command body and never rejects. */
export type Execute = (body: Document) => Promise<Record<string, unknown>>

export function serveConnection(socket: Socket, execute: Execute): void {
  const frames = new MessageFrames(MAX_MESSAGE_BYTES + HEADER_BYTES)
  let last = Promise.resolve()
  socket.setNoDelay(true)
  // A client that leaves in the middle of a message is no failure of the engine.
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    try {
      for (const bytes of frames.add(Buffer.from(chunk))) {
        last = last.then(() => answer(socket, bytes, execute)).catch(() => void socket.destroy())
      }
    } catch {
      socket.destroy()
    }
  })
}

async function answer(socket: Socket, bytes: Buffer, execute: Execute): Promise<void> {
  let message: Message
  try {
    message = readMessage(bytes)
  } catch (error) {
    const opCode = bytes.readInt32LE(12)
    if (!(error instanceof CommandError) || (opCode !== OP_MSG && opCode !== OP_QUERY)) throw error
    send(socket, { requestId: bytes.readInt32LE(4), opCode }, error.toReply())
    return
  }
  const reply = await execute(message.body)
  if (message.wantsReply) send(socket, message, reply)
}

function send(socket: Socket, message: Pick<Message, 'requestId' | 'opCode'>, reply: Record<string, unknown>): void {
  if (!socket.destroyed) socket.write(writeReply(message, reply))
}
