/** `commitTransaction`, `abortTransaction`, `endSessions`: how transactions and their sessions end. */
import { CommandError } from '../failure/command-error.ts'
import type { Transaction } from '../transactions/transaction.ts'
import type { Command, CommandContext } from './command.ts'
import { sessionId } from './session-id.ts'

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
        const { moments, journal } = context.engine.catalog
        moments.commit(transaction)
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
