/**
 * One command from its body to its answer: found, put into its transaction, run, made durable. A failure inside a
 * transaction ends it, and its answer says so in the way that makes drivers start again.
 */
import { CommandError } from '../failure/command-error.ts'
import { Blocked } from '../transactions/blocked.ts'
import type { Transaction } from '../transactions/transaction.ts'
import { approximate } from '../values/exact-number.ts'
import { type Document, isDocument, isNumber, type Value } from '../values/value.ts'
import { aggregateCommand } from './aggregate-command.ts'
import { Arguments } from './arguments.ts'
import { collectionCommands } from './collection-commands.ts'
import type { Command, Engine, Reply } from './command.ts'
import { checkConcerns } from './concerns.ts'
import { cursorCommands } from './cursor-commands.ts'
import { findAndModifyCommand } from './find-and-modify-command.ts'
import { handshakeCommands } from './handshake-commands.ts'
import { indexCommands } from './index-commands.ts'
import { readCommands } from './read-commands.ts'
import { sessionCommands } from './session-commands.ts'
import { sessionId } from './session-id.ts'
import { waitFor } from './wait-for.ts'
import { writeCommands } from './write-commands.ts'

const COMMANDS = new Map<string, Command>(
  Object.entries({
    ...aggregateCommand,
    ...collectionCommands,
    ...cursorCommands,
    ...findAndModifyCommand,
    ...handshakeCommands,
    ...indexCommands,
    ...readCommands,
    ...sessionCommands,
    ...writeCommands
  })
)

/** Never rejects: whatever goes wrong is an answer. */
export async function executeCommand(engine: Engine, body: Document, connection: number): Promise<Reply> {
  try {
    return { ...(await dispatch(engine, body, connection)), ok: 1 }
  } catch (error) {
    if (error instanceof CommandError) return error.toReply()
    return new CommandError(1, error instanceof Error ? error.message : String(error)).toReply()
  }
}

async function dispatch(engine: Engine, body: Document, connection: number): Promise<Reply> {
  const [name = ''] = body.keys()
  const command = COMMANDS.get(name)
  if (command === undefined) {
    const hint = /^sasl|^authenticate$/.test(name) ? ': the embedded development engine has no authentication' : ''
    throw new CommandError(59, `no such command: '${name}'${hint}`)
  }
  checkConcerns(body, engine.mode)
  const membership = readMembership(body)
  const isReply = membership.number !== null
  if (isReply && engine.mode === 'standalone') {
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos')
  }
  if (membership.session === null || membership.number === null)
    return run(engine, name, command, body, connection, null)
  const { session, number } = membership
  if (!membership.transactional) {
    return engine.sessions.once(session, number, () => run(engine, name, command, body, connection, null))
  }
  const ends = name === 'commitTransaction' || name === 'abortTransaction'
  const transaction = engine.sessions.enter({ session, number, starts: membership.starts, ends })
  try {
    if (!command.inTransaction) throw new CommandError(263, `Cannot run '${name}' in a multi-document transaction.`)
    const reply = await run(engine, name, command, body, connection, transaction)
    if ('writeErrors' in reply) engine.sessions.abort(transaction)
    return reply
  } catch (error) {
    engine.sessions.abort(transaction)
    throw error
  }
}

async function run(
  engine: Engine,
  name: string,
  command: Command,
  body: Document,
  connection: number,
  transaction: Transaction | null
): Promise<Reply> {
  const database = body.get('$db')
  const limit = body.get('maxTimeMS')
  const { failures } = engine.catalog
  const maxTime = isNumber(limit) ? approximate(limit) : 0
  const settled = async <Result>(attempt: () => Result): Promise<Result> => {
    for (;;) {
      try {
        return attempt()
      } catch (error) {
        if (!(error instanceof Blocked)) throw error
        engine.catalog.flush(failures)
        await waitFor(error.ended, maxTime)
      }
    }
  }
  const context = {
    engine,
    database: typeof database === 'string' ? database : 'test',
    connection,
    transaction,
    settled
  }
  try {
    return await command.run(new Arguments(name, body), context)
  } finally {
    engine.catalog.flush(failures)
  }
}

interface Membership {
  readonly session: string | null
  readonly number: bigint | null
  readonly transactional: boolean
  readonly starts: boolean
}

/** @throws CommandError 72 for fields that contradict each other */
function readMembership(body: Document): Membership {
  const lsid = body.get('lsid')
  const session = isDocument(lsid) ? sessionId(lsid) : null
  const number = integerOf(body.get('txnNumber'))
  const transactional = body.get('autocommit') === false
  if (number !== null && session === null)
    throw new CommandError(72, 'Transaction number requires a session ID to also be specified')
  if (transactional && number === null)
    throw new CommandError(72, "'autocommit' field requires a transaction number to also be specified")
  return { session, number, transactional, starts: body.get('startTransaction') === true }
}

function integerOf(value: Value | undefined): bigint | null {
  if (!isNumber(value)) return null
  return value._bsontype === 'Long' ? value.toBigInt() : BigInt(Math.trunc(approximate(value)))
}
