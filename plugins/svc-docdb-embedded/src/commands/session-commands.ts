/** `commitTransaction`, `abortTransaction`, `endSessions`: how transactions and their sessions end. */
import { CommandError } from '../failure/command-error.ts'
import type { Transaction } from '../transactions/transactions.ts'
import type { Document } from '../values/value.ts'
import type { Command, CommandContext } from './command.ts'

/** The key of a session, from the `lsid` a driver sends. @throws CommandError 9 when it is not `{ id: <UUID> }` */
export function sessionId(lsid: Document): string {
  const id = lsid.get('id')
  if (typeof id === 'object' && id !== null && '_bsontype' in id && id._bsontype === 'Binary') return id.toString('hex')
  throw new CommandError(9, "'lsid' must hold an 'id' of type UUID")
}

function current({ transaction }: CommandContext): Transaction {
  if (transaction !== null) return transaction
  throw new CommandError(72, 'the command must be run in a transaction')
}

export const sessionCommands: Readonly<Record<string, Command>> = {
  commitTransaction: {
    inTransaction: true,
    run: (args, context) => {
      args.ignore('commitTransaction', 'recoveryToken')
      args.end()
      const transaction = current(context)
      // A second commit is the retry of one whose answer was lost.
      if (transaction.state === 'active') {
        const { transactions, journal } = context.engine.catalog
        transactions.commit(transaction)
        journal.onUndo(() => transaction.end('aborted'))
      }
      return {}
    }
  },
  abortTransaction: {
    inTransaction: true,
    run: (args, context) => {
      args.ignore('abortTransaction', 'recoveryToken')
      args.end()
      const transaction = current(context)
      if (transaction.state === 'committed') throw new CommandError(256, 'Transaction has been committed.')
      context.engine.sessions.abort(transaction)
      return {}
    }
  },
  endSessions: {
    inTransaction: false,
    run: (args, { engine }) => {
      for (const id of args.documents('endSessions')) engine.sessions.end(sessionId(id))
      args.end()
      return {}
    }
  },
  refreshSessions: {
    inTransaction: false,
    run: (args) => {
      args.documents('refreshSessions')
      args.end()
      return {}
    }
  }
}
