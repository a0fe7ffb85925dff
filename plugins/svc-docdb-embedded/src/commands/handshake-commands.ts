/** Commands about the server itself: `hello`, `ping`, `buildInfo`, `serverStatus`, `connectionStatus`. */
import { Long } from 'bson'
import { MAX_DOCUMENT_BYTES } from '../values/encode.ts'
import type { Command, CommandContext, Reply } from './command.ts'

/** The release of MongoDB that the answers follow, and its wire version. */
const VERSION = '7.0.0'
const WIRE_VERSION = 21
export const SET_NAME = 'rs0'
/** Bytes of one message on the wire. */
export const MAX_MESSAGE_BYTES = 48_000_000

function describeServer({ engine, connection }: CommandContext): Reply {
  const address = engine.address()
  const member =
    engine.mode === 'standalone'
      ? {}
      : { setName: SET_NAME, setVersion: 1, hosts: [address], primary: address, me: address, secondary: false }
  return {
    helloOk: true,
    ...member,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 100_000,
    localTime: engine.now(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: connection,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false
  }
}

function status({ engine }: CommandContext): Reply {
  const uptimeMillis = engine.now().getTime() - engine.startedAt.getTime()
  return {
    host: engine.address(),
    version: VERSION,
    process: 'svc-docdb-embedded',
    pid: Long.fromNumber(process.pid),
    uptime: Math.floor(uptimeMillis / 1000),
    uptimeMillis: Long.fromNumber(uptimeMillis),
    localTime: engine.now(),
    storageEngine: { name: 'embedded', persistent: engine.catalog.journal.persistent },
    transactions: { currentActive: Long.fromNumber(engine.catalog.transactions.active.size) },
    metrics: { cursor: { open: { total: Long.fromNumber(engine.cursors.count) } } }
  }
}

function always(inTransaction: boolean, answer: (context: CommandContext) => Reply): Command {
  return { inTransaction, run: (_args, context) => answer(context) }
}

export const handshakeCommands: Readonly<Record<string, Command>> = {
  hello: always(true, (context) => ({ isWritablePrimary: true, ...describeServer(context) })),
  ismaster: always(true, (context) => ({ ismaster: true, ...describeServer(context) })),
  isMaster: always(true, (context) => ({ ismaster: true, ...describeServer(context) })),
  ping: always(false, () => ({})),
  buildInfo: always(false, () => ({
    version: VERSION,
    versionArray: [7, 0, 0, 0],
    gitVersion: 'none',
    modules: ['svc-docdb-embedded'],
    bits: 64,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES
  })),
  serverStatus: always(false, status),
  connectionStatus: always(false, () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } }))
}
