/**
 * One command from its body to its answer: found, put into its transaction, run, made durable. A failure inside a
 * transaction ends it, and its answer says so in the way that makes drivers start again.
 */
import { CommandError } from '../failure/command-error.ts'
import { Blocked, type Transaction } from '../transactions/transactions.ts'
import { integerOf, toDouble } from '../values/numbers.ts'
import { type Document, isDocument, isNumber, type Value } from '../values/value.ts'
import { Arguments } from './arguments.ts'
import { collectionCommands } from './collection-commands.ts'
import type { Command, Engine, EngineMode, Reply } from './command.ts'
import { handshakeCommands } from './handshake-commands.ts'
import { indexCommands } from './index-commands.ts'
import { readCommands } from './read-commands.ts'
import { sessionCommands, sessionId } from './session-commands.ts'
import { writeCommands } from './write-commands.ts'

const COMMANDS = new Map<string, Command>(
  Object.entries({
    ...collectionCommands,
    ...handshakeCommands,
    ...indexCommands,
    ...readCommands,
    ...sessionCommands,
    ...writeCommands
  })
)

/** Levels of read concern: with one member all are the same. */
const LEVELS: ReadonlySet<unknown> = new Set([undefined, 'local', 'available', 'majority', 'snapshot', 'linearizable'])

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
  const { session, number, transactional, starts } = readMembership(body)
  if (number !== null && engine.mode === 'standalone') {
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos')
  }
  const execute = (transaction: Transaction | null) => run(engine, name, command, body, connection, transaction)
  if (session === null || number === null) return execute(null)
  if (!transactional) return engine.sessions.once(session, number, () => execute(null))
  const ends = name === 'commitTransaction' || name === 'abortTransaction'
  const transaction = engine.sessions.enter({ session, number, starts, ends })
  try {
    if (!command.inTransaction) throw new CommandError(263, `Cannot run '${name}' in a multi-document transaction.`)
    const reply = await execute(transaction)
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
  const maxTime = toDouble(body.get('maxTimeMS')) || 0
  const { failures } = engine.catalog
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
  const named = typeof database === 'string' ? database : 'test'
  try {
    return await command.run(new Arguments(name, body), { engine, database: named, connection, transaction, settled })
  } finally {
    engine.catalog.flush(failures)
  }
}

/** Waits for the end of a transaction. @throws CommandError 50 when `milliseconds` pass first; 0 waits without bound */
async function waitFor(ended: Promise<void>, milliseconds: number): Promise<void> {
  if (milliseconds === 0) return ended
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new CommandError(50, 'operation exceeded time limit'))
    timer = setTimeout(fail, milliseconds).unref()
  })
  try {
    await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * What one member cannot promise is refused.
 *
 * @throws CommandError 9 for an unknown level, 100 or 2 for more members than one, 79 for an unknown mode
 */
function checkConcerns(body: Document, mode: EngineMode): void {
  const [read, write] = [body.get('readConcern'), body.get('writeConcern')]
  if (isDocument(read) && !LEVELS.has(read.get('level'))) {
    throw new CommandError(
      9,
      `Enumeration value '${String(read.get('level'))}' for field 'readConcern.level' is not a valid value.`
    )
  }
  const members = isDocument(write) ? write.get('w') : undefined
  if (toDouble(members) > 1) {
    if (mode === 'standalone') throw new CommandError(2, "cannot use 'w' > 1 when a host is not replicated")
    throw new CommandError(100, 'Not enough data-bearing nodes')
  }
  if (typeof members === 'string' && members !== 'majority') {
    throw new CommandError(79, `No write concern mode named '${members}' found in replica set configuration`)
  }
}

/** The session and the transaction that a command belongs to. */
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
  const number = numberOf(body.get('txnNumber'))
  const transactional = body.get('autocommit') === false
  if (number !== null && session === null) {
    throw new CommandError(72, 'Transaction number requires a session ID to also be specified')
  }
  if (transactional && number === null) {
    throw new CommandError(72, "'autocommit' field requires a transaction number to also be specified")
  }
  return { session, number, transactional, starts: body.get('startTransaction') === true }
}

function numberOf(value: Value | undefined): bigint | null {
  if (!isNumber(value)) return null
  return value._bsontype === 'Long' ? integerOf(value) : BigInt(Math.trunc(toDouble(value)))
}
