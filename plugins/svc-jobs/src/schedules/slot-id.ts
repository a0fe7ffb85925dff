/** The id of the job of a slot: the same on every instance, so that a second one for the slot cannot be stored. Pure. */
import { createHash } from 'node:crypto'

/** @param slot epoch ms @returns a UUID of version 7 with the time of the slot, whose other bits come from both */
export function slotId(schedule: string, slot: number): string {
  const time = slot.toString(16).padStart(12, '0')
  const hash = createHash('sha256').update(`${schedule} ${slot}`).digest('hex')
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}
