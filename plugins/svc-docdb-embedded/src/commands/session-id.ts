/** The text by which a session is known here, from the `lsid` a driver sends. */
import { CommandError } from '../failure/command-error.ts'
import type { Document } from '../values/value.ts'

/** @throws CommandError 9 when it is not `{ id: <UUID> }` */
export function sessionId(lsid: Document): string {
  const id = lsid.get('id')
  if (typeof id === 'object' && id !== null && '_bsontype' in id && id._bsontype === 'Binary') return id.toString('hex')
  throw new CommandError(9, "'lsid' must hold an 'id' of type UUID")
}
