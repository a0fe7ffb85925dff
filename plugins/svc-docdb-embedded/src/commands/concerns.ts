/** Read and write concerns: with one member, every level is the same; what one member cannot promise is refused. */
import { CommandError } from '../failure/command-error.ts'
import { approximate } from '../values/exact-number.ts'
import { type Document, isDocument, isNumber } from '../values/value.ts'
import type { EngineMode } from './command.ts'

const LEVELS: ReadonlySet<unknown> = new Set([undefined, 'local', 'available', 'majority', 'snapshot', 'linearizable'])

/** @throws CommandError 9 for an unknown level, 100 or 2 for more members than one, 79 for an unknown mode */
export function checkConcerns(body: Document, mode: EngineMode): void {
  const [read, write] = [body.get('readConcern'), body.get('writeConcern')]
  if (isDocument(read) && !LEVELS.has(read.get('level'))) {
    throw new CommandError(
      9,
      `Enumeration value '${String(read.get('level'))}' for field 'readConcern.level' is not a valid value.`
    )
  }
  const members = isDocument(write) ? write.get('w') : undefined
  if (isNumber(members) && approximate(members) > 1) {
    if (mode === 'standalone') throw new CommandError(2, "cannot use 'w' > 1 when a host is not replicated")
    throw new CommandError(100, 'Not enough data-bearing nodes')
  }
  if (typeof members === 'string' && members !== 'majority') {
    throw new CommandError(79, `No write concern mode named '${members}' found in replica set configuration`)
  }
}
