/** `getMore` and `killCursors`. */
import { Long } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { isNumber, type Value } from '../values/value.ts'
import type { Command } from './command.ts'

function cursorId(value: Value | undefined): bigint {
  if (isNumber(value) && value._bsontype === 'Long') return value.toBigInt()
  throw new CommandError(14, 'a cursor id is of the type long')
}

export const cursorCommands: Readonly<Record<string, Command>> = {
  getMore: {
    inTransaction: true,
    run: (args, { engine, database }) => {
      const id = cursorId(args.any('getMore'))
      const [name, batchSize] = [args.string('collection'), args.integer('batchSize')]
      args.end()
      return { cursor: engine.cursors.next(id, `${database}.${name}`, batchSize) }
    }
  },
  killCursors: {
    inTransaction: true,
    run: (args, { engine }) => {
      args.string('killCursors')
      const given = args.any('cursors')
      args.end()
      if (!Array.isArray(given)) throw new CommandError(14, "BSON field 'killCursors.cursors' must be an array")
      const results = given.map(cursorId).map((id) => ({ id: Long.fromBigInt(id), killed: engine.cursors.kill(id) }))
      const idsOf = (killed: boolean) => results.filter((one) => one.killed === killed).map(({ id }) => id)
      return { cursorsKilled: idsOf(true), cursorsNotFound: idsOf(false), cursorsAlive: [], cursorsUnknown: [] }
    }
  }
}
